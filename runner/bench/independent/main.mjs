// spawn, switch and hand-off over promises, as somebody writes them who has no harness.
// Run: node main.mjs spawn|switch|hand-off ROUNDS

async function number(i) {
  await undefined;
  return i;
}

async function spawn() {
  const tasks = [];
  for (let i = 0; i < 1000; i++) tasks.push(number(i));
  let sum = 0;
  for (const task of tasks) sum += await task;
  if (sum !== 499500) throw new Error(`sum is ${sum}`);
}

async function yields() {
  await undefined;
  for (let i = 0; i < 200; i++) await undefined;
}

async function switching() {
  const tasks = [];
  for (let i = 0; i < 100; i++) tasks.push(yields());
  for (const task of tasks) await task;
}

class Mailbox {
  #message;
  #wake;

  put(message) {
    this.#message = message;
    this.#wake?.();
  }

  async take() {
    if (this.#message === undefined) {
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
    const message = this.#message;
    this.#message = this.#wake = undefined;
    return message;
  }
}

async function play(inbox, outbox) {
  for (let i = 0; i < 500; i++) outbox.put((await inbox.take()) + 1);
}

async function handOff() {
  const left = new Mailbox();
  const right = new Mailbox();
  const players = [play(left, right), play(right, left)];
  left.put(0);
  await Promise.all(players);
  if ((await left.take()) !== 1000) throw new Error("tokens were lost");
}

const once = { spawn, switch: switching, "hand-off": handOff }[process.argv[2]];
for (let round = Number(process.argv[3]); round > 0; round--) await once();
