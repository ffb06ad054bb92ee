package harness;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The key=value words of the command line: what the harness takes for itself, and the workload's parameters. */
public final class Arguments {
    private static final Map<String, String> SHARED = Map.of("iterations", "1", "min_warm_ms", "0", "trace", "0", "nonce", "0");

    private final Map<String, String> given = new HashMap<>(SHARED);
    private final List<String> parameters;

    /** Every parameter must be there; an option may. Throws UsageException for anything else. */
    public Arguments(String[] words, List<String> parameters, Set<String> options) {
        this.parameters = parameters;
        var seen = new HashMap<String, String>();
        for (String word : words) {
            int sign = word.indexOf('=');
            if (sign < 0) throw new UsageException("\"" + word + "\" is not key=value");
            String key = word.substring(0, sign);
            if (!parameters.contains(key) && !options.contains(key) && !SHARED.containsKey(key)) {
                throw new UsageException("unknown key " + key);
            }
            if (seen.put(key, word.substring(sign + 1)) != null) throw new UsageException(key + " is given twice");
        }
        for (String key : parameters) {
            if (!seen.containsKey(key)) throw new UsageException(key + " is missing");
        }
        given.putAll(seen);
    }

    /** An integer of at least `least`; 0 for an option that was not given. */
    public int integer(String key, int least) {
        String text = given.get(key);
        if (text == null) return 0;
        try {
            int value = Integer.parseInt(text);
            if (value >= least) return value;
        } catch (NumberFormatException _) {
            // said below, as for a number that is too small
        }
        throw new UsageException(key + "=" + text + ": must be an integer of at least " + least);
    }

    public boolean flag(String key) {
        String text = given.getOrDefault(key, "0");
        if (!text.equals("0") && !text.equals("1")) throw new UsageException(key + "=" + text + ": must be 0 or 1");
        return text.equals("1");
    }

    /** One of several words. */
    public String word(String key, List<String> known) {
        String text = given.get(key);
        if (!known.contains(text)) throw new UsageException(key + "=" + text + ": must be one of " + String.join(", ", known));
        return text;
    }

    /** The parameters as hello echoes them: numbers as numbers. */
    public Map<String, Object> echo() {
        var all = new LinkedHashMap<String, Object>();
        for (String key : parameters) {
            String text = given.get(key);
            all.put(key, text.matches("[0-9]+") ? (Object) integer(key, 0) : text);
        }
        return all;
    }
}
