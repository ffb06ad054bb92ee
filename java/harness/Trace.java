package harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Records who runs when. Without trace=1 it records nothing, and hands the bodies of tasks on as they are. */
public final class Trace {
    private final List<List<Object>> events;

    private final Supplier<String> unit;

    Trace(boolean asked, Supplier<String> unit) {
        events = asked ? new ArrayList<>() : null;
        this.unit = unit;
    }

    /** Whether anything is recorded. */
    public boolean on() {
        return events != null;
    }

    public void run(int task) {
        if (events != null) add("run", task);
    }

    public void park(int task) {
        if (events != null) add("park", task);
    }

    public void ask(int task) {
        if (events != null) add("ask", task);
    }

    public void enter(int task) {
        if (events != null) add("enter", task);
    }

    public void leave(int task) {
        if (events != null) add("leave", task);
    }

    public void open(int scope) {
        if (events != null) add("open", scope);
    }

    public void fail(int task) {
        if (events != null) add("fail", task);
    }

    public void close(int scope) {
        if (events != null) add("close", scope);
    }

    public void collect(int task) {
        if (events != null) add("collect", task);
    }

    public void done(int task) {
        if (events != null) add("done", task);
    }

    public void spawn(int task) {
        if (events != null) add("spawn", task);
    }

    public void spawned(int task) {
        if (events != null) add("spawned", task);
    }

    void hold() {
        if (events != null) add("hold", -1);
    }

    /** A body that records its first statement and its last. */
    public <T> Callable<T> body(int task, Callable<T> body) {
        if (events == null) return body;
        return ends(
                task,
                () -> {
                    run(task);
                    return body.call();
                });
    }

    /** A body that records its end; what it receives or resumes it records itself. */
    public <T> Callable<T> ends(int task, Callable<T> body) {
        if (events == null) return body;
        return () -> {
            T result = body.call();
            done(task);
            return result;
        };
    }

    /** The events of the one traced iteration, once every started task has recorded its last. */
    List<List<Object>> events() {
        while (true) {
            synchronized (this) {
                if (count("spawn") == count("spawned") && count("spawn") == count("done") + count("fail")) return events;
            }
            Thread.yield();
        }
    }

    private long count(String kind) {
        return events.stream().filter(event -> event.getFirst().equals(kind)).count();
    }

    private void add(String kind, int task) {
        add(kind, task, unit.get());
    }

    /** For a unit that only the caller can tell; may be called only while this is on. */
    public synchronized void add(String kind, int task, String unit) {
        events.add(List.of(kind, task, unit));
    }
}
