// Records who runs when where asynchronous ids are missing or say too little, by the asynchronous context that it restores.
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Every task is started in a context of its own, and it is the runtime that brings a context back after an await. So a task is
 * known by the context in which it runs: two bodies in one async function have one. A body that runs before the call that
 * starts it has returned is on its starter's stack, and is recorded as its starter, whatever context it sees.
 */
export function startContextTrace() {
  const contexts = new AsyncLocalStorage();
  const events = [];
  const starting = []; // contexts of the starters of the tasks whose start call has not returned
  const present = () => {
    const context = starting.length > 0 ? starting.at(-1) : contexts.getStore();
    return context ?? "main";
  };

  function record(kind, i, unit) {
    if (kind === "spawned") contexts.enterWith(starting.pop());
    events.push([kind, i, unit ?? present()]);
    if (kind === "spawn") {
      starting.push(contexts.getStore());
      contexts.enterWith(`context-${i}`);
    }
  }

  return { events, record };
}
