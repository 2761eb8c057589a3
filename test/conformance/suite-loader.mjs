/** Lets the suite start on Node 20: it imports `globSync`, which only newer ones have, for a command that is not used here. */
import { register } from 'node:module';

const toModule = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const fs = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";
const hooks = `
  const isTheirs = ({ parentURL = '' }) => parentURL.includes('@modelcontextprotocol/conformance/');
  export const resolve = (specifier, context, next) =>
    specifier === 'fs' && isTheirs(context)
      ? { url: ${JSON.stringify(toModule(fs))}, shortCircuit: true }
      : next(specifier, context);
`;
register(toModule(hooks));
