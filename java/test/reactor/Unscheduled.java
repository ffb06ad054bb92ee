package reactor;

import harness.Outcome;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Planted faults, as a trace shows them: what runs on the stack of another is no task of its own. */
public final class Unscheduled {
    private Unscheduled() {}

    /** Task 0 subscribes to a body that no worker is asked to run. */
    private static Mono<Integer> called(Tasks tasks) {
        return tasks.task(0, tasks.before("run", 1, Mono.just(1)));
    }

    /** Task 0 waits at a sink without publishOn, and goes on inside of the emission by task 1. */
    private static Mono<Integer> resumed(Monos monos) {
        var tasks = monos.tasks;
        Sinks.One<Integer> sink = Sinks.one();
        var receives = tasks.resuming(0, sink.asMono().flux()).single();
        var sends = monos.until(() -> sink.currentSubscriberCount() == 1)
                .then(tasks.before("run", 1, Mono.fromSupplier(() -> sink.tryEmitValue(1).ordinal())));
        return Mono.zip(tasks.resumingTask(0, receives), tasks.resumingTask(1, sends), Integer::sum);
    }

    public static void main(String[] words) {
        Monos.run(words, "planted", List.of("fault"), monos -> {
            String fault = monos.arguments.word("fault", List.of("called", "resumed"));
            var planted = fault.equals("called") ? called(monos.tasks) : resumed(monos);
            return monos.timed(() -> planted.map(ops -> new Outcome(ops, Map.of()))).then();
        });
    }
}
