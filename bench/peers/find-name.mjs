/** Each peer writes names in its own way, but all keep the name of the server and end in that of the tool. */
export function findName(names, tool) {
  const found = names.find((name) => name === tool) ?? names.find((name) => name.includes('s0') && name.endsWith(tool));
  if (found === undefined) throw new Error(`offers nothing like '${tool}'`);
  return found;
}
