package harness;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes JSON: the JDK has no library for it. */
public final class Json {
    private Json() {}

    /** An object of alternating names and values, in their order. */
    public static Map<String, Object> object(Object... namesAndValues) {
        var members = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        return members;
    }

    /** Maps, lists, arrays of long, strings, numbers and booleans; anything else is an IllegalArgumentException. */
    static void write(StringBuilder out, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                String before = "{";
                for (var member : map.entrySet()) {
                    out.append(before);
                    quote(out, (String) member.getKey());
                    write(out.append(':'), member.getValue());
                    before = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                out.append('[');
                for (Iterator<?> items = list.iterator(); items.hasNext(); ) {
                    write(out, items.next());
                    if (items.hasNext()) out.append(',');
                }
                out.append(']');
            }
            case String text -> quote(out, text);
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        out.append('"');
    }
}
