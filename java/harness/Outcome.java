package harness;

import java.util.Map;

/** What an iteration did: its operations, and what was counted of them. */
public record Outcome(long ops, Map<String, Object> evidence) {
    /** `namesAndValues` alternate. */
    public static Outcome of(long ops, Object... namesAndValues) {
        return new Outcome(ops, Json.object(namesAndValues));
    }
}
