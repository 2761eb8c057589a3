/** Blocks in random turns: in each round every contender has one block, in an order drawn anew. */

/** Calls `measure(contender)` and gives for each contender (by name) what it returned, round by round. */
export async function inTurns(contenders, rounds, measure) {
  const results = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const contender of shuffled(contenders)) results.get(contender.name).push(await measure(contender, round));
  return results;
}

export function shuffled(items) {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
