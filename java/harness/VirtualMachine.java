package harness;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.Collectors;

/** What the virtual machine says of itself. */
public final class VirtualMachine {
    private VirtualMachine() {}

    /** The settings of a runtime, whose names and values alternate, and those of the machine that it runs on. */
    public static Map<String, Object> settings(Object... namesAndValues) {
        var collectors = ManagementFactory.getGarbageCollectorMXBeans().stream().map(GarbageCollectorMXBean::getName);
        var machine = ManagementFactory.getRuntimeMXBean();
        var all = Json.object(namesAndValues);
        all.put("processors", Runtime.getRuntime().availableProcessors());
        all.put("gc", collectors.collect(Collectors.joining(", ")));
        all.put("largest_heap", Runtime.getRuntime().maxMemory());
        all.put("vm", machine.getVmName() + " " + machine.getVmVersion());
        all.put("options", String.join(" ", machine.getInputArguments()));
        return all;
    }
}
