/** Has the redactor replace the secrets of a configuration by their names from now on. */
import type { Redactor } from '../base/redact.ts';
import type { Config } from '../config/config.ts';

export function learnSecrets({ secrets }: Config, redactor: Redactor): void {
  for (const { name, value } of secrets) redactor.learn(name, value);
}
