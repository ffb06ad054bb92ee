import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Writes a file of arguments for each program, which `java @file` reads: programs are named as in every language
 * (spawn-chain), but no class can be. Usage: Launchers SOURCES SUFFIX CLASSPATH FOLDER, with CLASS in the suffix for a class's name.
 */
final class Launchers {
    private Launchers() {}

    static void main(String[] words) throws IOException {
        Path sources = Path.of(words[0]);
        String extension = words[1];
        String pattern = words[2];
        Path folder = Path.of(words[3]);
        try (var files = Files.list(sources)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!name.endsWith(extension) || !Character.isLowerCase(name.charAt(0))) continue;
                String workload = name.substring(0, name.length() - extension.length());
                Files.writeString(folder.resolve(workload + ".args"), pattern.replace("CLASS", className(workload)) + "\n");
            }
        }
    }

    /** SpawnChain for spawn-chain. */
    static String className(String workload) {
        return Arrays.stream(workload.split("-"))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }
}
