package harness;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The process's CPU time. The JDK's own reading (OperatingSystemMXBean) comes in steps of 10 ms, longer than an iteration. */
final class Clock {
    private static final int PROCESS_CPUTIME_ID = 2; // of <time.h>
    private static final int NANOSECONDS = 1_000_000_000;
    private static final MemorySegment TIMESPEC = Arena.global().allocate(16, 8);
    private static final MethodHandle CLOCK_GETTIME =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private Clock() {}

    /** User and system time of all threads, in nanoseconds. One thread at a time may ask. */
    static long cpu() {
        try {
            int failed = (int) CLOCK_GETTIME.invokeExact(PROCESS_CPUTIME_ID, TIMESPEC);
            if (failed != 0) throw new IllegalStateException("clock_gettime failed");
        } catch (Throwable error) {
            throw new IllegalStateException(error);
        }
        return TIMESPEC.get(ValueLayout.JAVA_LONG, 0) * NANOSECONDS + TIMESPEC.get(ValueLayout.JAVA_LONG, 8);
    }
}
