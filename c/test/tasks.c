// What every runtime of shared programs promises: tasks, gates, channels, mailboxes, cancellation; and the arguments of the harness.
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/arguments.h"
#include "harness/fizzbuzz.h"
#include "harness/harness.h"
#include "harness/tasks.h"
#include "test/check.h"

static long twice(void *argument) { return 2 * *(long *)argument; }

static void tasks_have_results(void) {
    long numbers[] = {1, 20, 300}, sum = 0;
    task *tasks[3];
    for (int i = 0; i < 3; i++) tasks[i] = task_start(twice, &numbers[i]);
    for (int i = 0; i < 3; i++) {
        long result;
        CHECK(task_join(tasks[i], &result));
        sum += result;
    }
    CHECK(sum == 642);
}

static long send_ten(void *argument) {
    for (long i = 0; i < 10; i++) channel_send(argument, i);
    channel_close(argument);
    return 10;
}

static void channels_keep_their_order(void) {
    channel *narrow = channel_new(2);
    task *sender = task_start(send_ten, narrow);
    long value, expected = 0;
    while (channel_receive(narrow, &value)) CHECK(value == expected++);
    CHECK(expected == 10);
    CHECK(task_join(sender, &value) && value == 10);
    channel_free(narrow);
}

static long put_seven(void *argument) {
    mailbox_put(argument, 7);
    return 1;
}

static int status_of(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_mailbox_hands_over_one_value(void) {
    mailbox *box = mailbox_new();
    task *writer = task_start(put_seven, box);
    CHECK(mailbox_take(box) == 7);
    long result;
    CHECK(task_join(writer, &result));
    mailbox_put(box, 8);
    CHECK(mailbox_take(box) == 8);
    mailbox_put(box, 9);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stderr);
        mailbox_put(box, 10);
        _exit(0);
    }
    CHECK(status_of(child) == 1);
    mailbox_free(box);
}

struct waiter {
    gate *here, *closed;
    atomic_long passed, cleaned_up;
};

static void clean_up(void *argument) { atomic_fetch_add(&((struct waiter *)argument)->cleaned_up, 1); }

static long wait_there(void *argument) {
    struct waiter *self = argument;
    gate_open(self->here);
    gate_wait_guarded(self->closed, clean_up, self);
    atomic_fetch_add(&self->passed, 1);
    return 7;
}

static void a_gate_lets_pass_and_a_cancelled_task_cleans_up(void) {
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        struct waiter waiter = {.here = gate_new(), .closed = gate_new()};
        task *waiting = task_start(wait_there, &waiter);
        gate_wait(waiter.here);
        CHECK(atomic_load(&waiter.passed) == 0);
        if (cancelled) {
            task_cancel(waiting);
        } else {
            gate_open(waiter.closed);
        }
        long result;
        CHECK(task_join(waiting, &result) == !cancelled);
        CHECK(cancelled || result == 7);
        CHECK(atomic_load(&waiter.passed) == !cancelled && atomic_load(&waiter.cleaned_up) == cancelled);
        gate_free(waiter.closed);
        gate_free(waiter.here);
    }
}

static long take_a_byte(void *argument) {
    char byte;
    CHECK(task_read(*(int *)argument, &byte, 1) == 1);
    return byte;
}

static void a_read_waits_for_what_comes(void) {
    int sockets[2];
    task_socketpair(sockets);
    task *reader = task_start(take_a_byte, &sockets[0]);
    task_sleep(1000000);
    CHECK(write(sockets[1], "!", 1) == 1);
    long result;
    CHECK(task_join(reader, &result) && result == '!');
    for (int i = 0; i < 2; i++) task_close(sockets[i]);
}

static void a_sleep_lasts(void) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    task_sleep(2000000);
    clock_gettime(CLOCK_MONOTONIC, &after);
    CHECK((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec >= 2000000);
}

static long sleep_a_little(void *argument) {
    task_sleep(1000000);
    atomic_store((atomic_bool *)argument, true);
    return 1;
}

static void a_yield_lets_timers_fire(void) {
    atomic_bool woken = false;
    task *sleeper = task_start(sleep_a_little, &woken);
    while (!atomic_load(&woken)) task_yield_to_timers();
    long result;
    CHECK(task_join(sleeper, &result) && result == 1);
}

static void fizzbuzz_is_worth_what_it_is_in_every_language(void) {
    long total = 0;
    for (long i = 0; i < 1000; i++) {
        for (long x = 0; x < 10; x++) total += fizzbuzz_step(i, x);
    }
    CHECK(total == 1745287);
    CHECK(fizzbuzz_step(3, 4) == 31 + '7');
}

static int status_with(int argc, char **argv) {
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stderr);
        parse_arguments(argc, argv, (const char *const[]){"n", NULL});
        _exit(0);
    }
    return status_of(child);
}

static void arguments_are_checked(void) {
    char *whole[] = {"program", "n=12", "iterations=3", "min_warm_ms=0", "trace=1"};
    struct arguments parsed = parse_arguments(5, (char *[]){whole[0], whole[1], whole[2], whole[3], whole[4]},
                                              (const char *const[]){"n", NULL});
    CHECK(parsed.iterations == 3 && parsed.min_warm_ms == 0 && parsed.trace && !parsed.count && parsed.nonce == 0);
    CHECK(parsed.parameter_count == 1 && parsed.parameters[0].value == 12);
    CHECK(status_with(4, whole) == 0);
    CHECK(status_with(3, whole) == 2);
    for (const char **wrong = (const char *[]){"n=0", "n=1x", "n=", "n=-1", "m=1", "iterations=2", NULL}; *wrong; wrong++) {
        char text[32];
        snprintf(text, sizeof text, "%s", *wrong);
        CHECK(status_with(5, (char *[]){whole[0], text, whole[2], whole[3], whole[4]}) == 2);
    }
    CHECK(status_with(5, (char *[]){whole[0], whole[1], whole[2], whole[3], "nonce=7"}) == 0);
    CHECK(status_with(5, (char *[]){whole[0], whole[1], whole[2], whole[3], "nonce=-1"}) == 2);
}

static void the_nonce_rises_with_each_iteration(void) {
    pid_t child = fork();
    if (child == 0) {
        setenv("COROBENCH_RUNTIME", "test", 1);
        freopen("/dev/null", "w", stdout);
        begin("planted", 4, (char *[]){"program", "iterations=3", "min_warm_ms=0", "nonce=1000000"},
              (const char *const[]){NULL});
        long expected = 1000000;
        while (wanted()) {
            if (nonce() != expected++) _exit(1);
            start_clock();
            stop_clock();
            record(1, (struct count[]){{NULL, 0}});
        }
        _exit(expected == 1000003 ? 0 : 1);
    }
    CHECK(status_of(child) == 0);
}

int main(void) {
    arguments_are_checked();
    the_nonce_rises_with_each_iteration();
    tasks_have_results();
    channels_keep_their_order();
    a_mailbox_hands_over_one_value();
    a_gate_lets_pass_and_a_cancelled_task_cleans_up();
    a_read_waits_for_what_comes();
    a_sleep_lasts();
    a_yield_lets_timers_fire();
    fizzbuzz_is_worth_what_it_is_in_every_language();
    return checks_end("tasks");
}
