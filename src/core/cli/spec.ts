// What a command spec is (a command of the CLI as data), and how a command gets its result: from this machine, or from a server.
import { checkInput } from '../app/input/check-input.ts';
import type { Fields, InputOf, Raw } from '../app/input/fields.ts';
import type { Cli, FromServer } from './io.ts';
import type { Outcome } from './print.ts';
import { givenText } from './read-text.ts';
import { CouncilError } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { Result } from '../app/app.ts';

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

/** The commands that a server does in place of this machine. */
export const ELSEWHERE =
  'start view respond read status wait watch list show outcome search ledger metrics cost send inbox ack nack sent who task approvals continue extend excuse cancel heartbeat'.split(
    ' ',
  );

/** Those of the others that look at no project. */
const OF_NO_PROJECT = ['completion', 'demo', 'protocol', 'skill'];

/** The note for a command that asks no server although one was named; undefined where there is nothing to tell. */
export const actsHere = (command: string, server: string | undefined): string | undefined =>
  server && !ELSEWHERE.includes(command) && !OF_NO_PROJECT.includes(command)
    ? `council ${command} acts on this folder, not at ${oneLine(server, 200)} (COUNCIL_SERVER).`
    : undefined;

/** The error that there is no project here, where a server was named. */
export const notHere = (command: string, { message, code }: CouncilError): CouncilError =>
  new CouncilError(code, message, { hint: explainHere(command) });

/** Where a command works that no server does. */
export const explainHere = (command: string): string =>
  `council ${command} works in the folder of the project, on the machine where that is. With the server work: ${ELSEWHERE.join(', ')}.`;

/**
 * The result of a use case: of this machine, or that of a server, with the rest that its command needs to tell it. `rest` makes
 * that of the document.
 */
export async function performHereOrAtServer<R extends Result>(
  cli: Cli,
  performHere: () => Promise<R>,
  rest: (
    document: R['document'],
    sent: Pick<FromServer, 'bytes' | 'page'>,
  ) => Omit<R, 'document' | 'failed'> | Promise<Omit<R, 'document' | 'failed'>> = () => ({}) as R,
): Promise<R> {
  if (!cli.server) return performHere();
  const result = await cli.server();
  const document = result.document as R['document'];
  return { ...result, ...(await rest(document, result)), document } as unknown as R;
}
