// Records who runs when, with the identity that Node's async_hooks give to whatever is running.
import { createHook, executionAsyncId } from "node:async_hooks";
import { startContextTrace } from "./context-trace.mjs";

/**
 * Every `await` resumes under an asynchronous id of its own, so a task has many. They are led back to one, the id of
 * the promise that the async function returned, with nothing but what the runtime reports when a promise is made:
 * the id that triggered it and the id that was executing.
 *
 * `await value` makes two promises: a wrapper, triggered by the async function's own promise, and a continuation,
 * triggered by the wrapper; the continuation's id is what executes later. `await promise` makes only the continuation,
 * in the context of the task that awaits. Hence `taskOf`. A body that runs on its caller's stack, before its first
 * await or without one, executes under the caller's id and can't look like a task.
 */
export class Units {
  #trigger = new Map();
  #unit = new Map();

  created(id, type, trigger, context) {
    if (type !== "PROMISE") {
      this.#unit.set(id, name(id)); // an Immediate, a Timeout, a Microtask: queued by itself, so a unit of its own
      return;
    }
    // A promise without a parent is triggered by the context that made it; that says nothing about its owner.
    if (trigger !== context) this.#trigger.set(id, trigger);
    this.#unit.set(id, this.#taskOf(trigger, context));
  }

  #taskOf(awaited, context) {
    const owner = this.#trigger.get(awaited);
    return owner === undefined ? this.of(context) : name(owner);
  }

  /** The unit of an executing id; the module's own code has none. */
  of(id) {
    return this.#unit.get(id) ?? "main";
  }
}

const name = (id) => `async-${id}`;

/** Whether a generator runs: the language refuses to resume one that does. One that waits is resumed by this. */
export function isRunning(generator) {
  try {
    generator.next();
  } catch (error) {
    if (error instanceof TypeError) return true;
    throw error;
  }
  return false;
}

/** Hooks stay off unless this is called: they make every promise several times dearer. */
export function startTrace() {
  const units = new Units();
  const events = [];
  createHook({
    init: (id, type, trigger) => units.created(id, type, trigger, executionAsyncId()),
  }).enable();
  return {
    events,
    record: (kind, i, unit = units.of(executionAsyncId())) => {
      events.push([kind, i, unit]);
    },
  };
}

// A variant asks for contexts where there are no asynchronous ids, or where these don't lead back to a task, as its first await is
// of a promise that others made.
const start = process.env.COROBENCH_TRACE === "context" ? startContextTrace : startTrace;
const asked = process.argv.includes("trace=1") ? start() : null;

/**
 * The process's one recorder, or null. A program keeps it in a constant of its module: V8 folds that into the code that
 * it optimises, so that `trace?.record(...)` in a timed body costs nothing, where a parameter cost 1.5 % (NOTES.md).
 */
export const traceIfAsked = () => asked;
