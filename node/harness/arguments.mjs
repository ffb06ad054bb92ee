// Reads key=value arguments against a schema and names precisely what is wrong with them.

export class UsageError extends Error {}

/** Reads an integer from `least` to the largest that a double holds exactly. */
export const integer = (least) => (text) => {
  const value = Number(text);
  if (!/^(0|[1-9][0-9]*)$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`must be an integer from ${least}, not "${text}"`);
  }
  return value;
};

export const flag = (text) => {
  if (text !== "0" && text !== "1") throw new UsageError(`must be 0 or 1, not "${text}"`);
  return text === "1";
};

/** Reads one of the words listed. */
export const word =
  (...known) =>
  (text) => {
    if (!known.includes(text)) {
      throw new UsageError(`must be one of ${known.join(", ")}, not "${text}"`);
    }
    return text;
  };

export const required = (read) => ({ read });
export const optional = (read, otherwise) => ({ read, otherwise });

/**
 * Returns an object with a value for every key of `schema`, in the schema's order.
 * Throws UsageError for an unknown, repeated, missing or unreadable key.
 */
export function parseArguments(words, schema) {
  const given = new Map();
  for (const word of words) {
    const [key, ...rest] = word.split("=");
    if (rest.length === 0) throw new UsageError(`"${word}" is not key=value`);
    if (!Object.hasOwn(schema, key)) {
      throw new UsageError(`unknown key "${key}"; known are ${Object.keys(schema).join(", ")}`);
    }
    if (given.has(key)) throw new UsageError(`"${key}" is given twice`);
    given.set(key, rest.join("="));
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, rule]) => [key, readKey(key, rule, given)]),
  );
}

function readKey(key, rule, given) {
  if (!given.has(key)) {
    if (!Object.hasOwn(rule, "otherwise")) throw new UsageError(`"${key}" is missing`);
    return rule.otherwise;
  }
  try {
    return rule.read(given.get(key));
  } catch (error) {
    throw new UsageError(`${key} ${error.message}`);
  }
}
