// What a command spec is: a command of the CLI as data.
import { checkInput } from '../app/input/check-input.ts';
import type { Fields, InputOf, Raw } from '../app/input/fields.ts';
import type { Cli } from './io.ts';
import type { Outcome } from './print.ts';
import { givenText } from './read-text.ts';

/** What a command does: it calls its use case and puts the result into words. */
export type Command<Input> = (cli: Cli, input: Input) => Promise<Outcome>;

/** What a person is told of a command. */
interface Facts {
  name: string;
  summary: string;
  details?: string;
  examples: string[];
  /** With `--json` it prints one event a line. */
  hasEvents?: true;
}

/** One command of the CLI, as data: parser, help and completion are made from it and from the fields of its use case. */
export interface CommandSpec extends Facts {
  fields: Fields;
  run(cli: Cli, raw: Raw): Promise<Outcome>;
}

/** A command over the fields of a use case; `load` is the only import that a call pays for. */
export function command<F extends Fields>({
  fields,
  load,
  ...facts
}: Facts & { fields: F; load: () => Promise<Command<InputOf<F>>> }): CommandSpec {
  return {
    ...facts,
    fields,
    async run(cli, raw) {
      const { name } = facts;
      const given = {
        command: name,
        env: cli.env,
        isOwnCommandLine: true,
        text: givenText(cli, raw),
        note: cli.note,
      };
      const input = checkInput(fields, raw, given);
      return (await load())(cli, input);
    },
  };
}
