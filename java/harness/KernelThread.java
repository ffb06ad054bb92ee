package harness;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The thread of the operating system that runs the caller: the JDK does not tell by which one a virtual thread is carried. */
public final class KernelThread {
    private static final MethodHandle GETTID =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow("gettid"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT));

    private KernelThread() {}

    public static int id() {
        try {
            return (int) GETTID.invokeExact();
        } catch (Throwable error) {
            throw new IllegalStateException(error);
        }
    }
}
