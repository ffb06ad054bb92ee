package reactor;

import harness.Arguments;
import harness.Outcome;
import harness.Program;
import harness.VirtualMachine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A workload's whole process, with subscriptions of Monos as its tasks. */
final class Monos {
    /** What a program does: the root, which a worker of the scheduler runs too. */
    @FunctionalInterface
    interface Main {
        Mono<Void> run(Monos monos);
    }

    final Arguments arguments;
    final Program program;
    final Tasks tasks;

    private Monos(Program program) {
        this.program = program;
        arguments = program.arguments;
        tasks = new Tasks(program.trace);
    }

    static void run(String[] words, String workload, List<String> parameters, Main main) {
        run(words, workload, parameters, Set.of(), main);
    }

    /** Runs a workload to its last line; whatever goes wrong ends the process. */
    static void run(String[] words, String workload, List<String> parameters, Set<String> options, Main main) {
        // By default both are only logged: an error that no subscriber takes, and one that a worker's turn ends with.
        Hooks.onErrorDropped(Program::fail);
        Schedulers.onHandleError((_, error) -> Program.fail(error));
        try {
            var program = new Program(workload, new Arguments(words, parameters, options), () -> "main");
            program.hello(version(), settings());
            var monos = new Monos(program);
            Mono.defer(() -> main.run(monos)).subscribeOn(monos.tasks.scheduler).block();
            program.end();
        } catch (Exception error) {
            Program.fail(Exceptions.unwrap(error));
        }
    }

    /** Repeats an iteration, which starts and stops the clock itself, until that is enough. */
    Mono<Void> repeat(Supplier<Mono<Outcome>> iteration) {
        return Mono.defer(iteration).repeat(program.laps::more).then();
    }

    /** The operation, with the clock running from its subscription to its outcome. */
    Mono<Outcome> timed(Supplier<Mono<Outcome>> operation) {
        return Mono.defer(() -> {
                    program.laps.start();
                    return operation.get();
                })
                .doOnNext(program.laps::stop);
    }

    /** Stands still, worker and all, until the runner has looked at the process. It has a turn of its own: no stack keeps what has ended. */
    Mono<Void> hold(String point, IntSupplier units) {
        return Mono.<Void>fromCallable(() -> {
                    program.hold(point, units.getAsInt());
                    return null;
                })
                .subscribeOn(tasks.scheduler);
    }

    /** Completes once the condition holds; looks every millisecond. */
    Mono<Void> until(BooleanSupplier condition) {
        return Mono.delay(Duration.ofMillis(1)).repeat(() -> !condition.getAsBoolean()).then();
    }

    /** The number that the results of this iteration must contain. */
    int nonce() {
        return program.laps.nonce();
    }

    static String version() {
        return Mono.class.getPackage().getImplementationVersion();
    }

    static Map<String, Object> settings() {
        return VirtualMachine.settings("parallelism", Scannable.from(Schedulers.parallel()).scan(Scannable.Attr.CAPACITY));
    }
}
