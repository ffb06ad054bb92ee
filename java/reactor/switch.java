package reactor;

import harness.Outcome;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Lets k tasks yield m times each. */
final class Switch {
    /** Counts the resumes of another task than the one before; asked for by count=1, which is never timed. */
    private static final class Switches {
        final AtomicInteger count = new AtomicInteger();
        private final AtomicInteger last = new AtomicInteger(-1);

        Flux<Integer> of(int task, Flux<Integer> resumes) {
            return resumes.doOnNext(_ -> {
                if (last.getAndSet(task) != task) count.incrementAndGet();
            });
        }
    }

    private static Mono<Outcome> yields(int k, int m, boolean count, Monos monos) {
        int nonce = monos.nonce();
        var tasks = monos.tasks;
        var switches = new Switches();
        return tasks.gather(0, k, i -> {
                    var resumes = tasks.resuming(i, tasks.turn.repeat(m - 1));
                    var counted = count ? switches.of(i, resumes) : resumes;
                    return tasks.resumingTask(i, counted.reduce(nonce, Integer::sum));
                })
                .map(results -> {
                    long checksum = results.sum(Integer::longValue);
                    long resumes = checksum - (long) k * nonce;
                    var outcome = Outcome.of(resumes, "finished", results.finished(), "resumes", resumes, "checksum", checksum);
                    if (count) outcome.evidence().put("true_switches", switches.count.get());
                    return outcome;
                });
    }

    static void main(String[] words) {
        Monos.run(words, "switch", List.of("k", "m"), Set.of("count"), monos -> {
            int k = monos.arguments.integer("k", 1);
            int m = monos.arguments.integer("m", 1);
            boolean count = monos.arguments.flag("count");
            return monos.repeat(() -> monos.timed(() -> yields(k, m, count, monos)));
        });
    }
}
