import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Writes a file of arguments for each program, which `java @file` reads: programs are named as in every language
 * (spawn-chain), but no class can be. Usage: Launchers SOURCES SUFFIX ARGUMENTS FOLDER, with CLASS in the arguments for a class's name,
 * which begins with the packages that are folders below SOURCES.
 */
final class Launchers {
    /** Stdout is the protocol's: what the virtual machine itself has to say goes to stderr. */
    private static final String OPTIONS = "-Xlog:disable -Xlog:all=warning:stderr";

    private Launchers() {}

    static void main(String[] words) throws IOException {
        Path sources = Path.of(words[0]);
        String extension = words[1];
        String pattern = words[2];
        Path folder = Path.of(words[3]);
        try (var files = Files.walk(sources)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!name.endsWith(extension) || !Character.isLowerCase(name.charAt(0))) continue;
                String workload = name.substring(0, name.length() - extension.length());
                Path program = sources.relativize(file).resolveSibling(workload);
                Path launcher = folder.resolve(program + ".args");
                Files.createDirectories(launcher.getParent());
                Files.writeString(launcher, OPTIONS + " " + pattern.replace("CLASS", className(program)) + "\n");
            }
        }
    }

    /** limit.HandOff for limit/hand-off. */
    static String className(Path program) {
        String name = Arrays.stream(program.getFileName().toString().split("-"))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
        return program.resolveSibling(name).toString().replace('/', '.');
    }
}
