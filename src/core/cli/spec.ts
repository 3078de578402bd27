// Command specs (commands of the CLI as data), and running a command here or on a server.
import { checkInput } from '../app/input/check-input.ts';
import type { Fields, InputOf, Raw } from '../app/input/fields.ts';
import type { Cli, ServerReply } from './io.ts';
import type { Outcome } from './print.ts';
import { createGivenTextReader } from './read-text.ts';
import { CouncilError } from '../base/errors.ts';
import { toOneLine } from '../base/text.ts';
import type { Result } from '../app/app.ts';

/** A command: calls its use case and formats the result. */
export type Command<Input> = (cli: Cli, input: Input) => Promise<Outcome>;

/** Help texts of a command. */
interface CommandFacts {
  name: string;
  summary: string;
  details?: string;
  examples: string[];
  /** With `--json` it prints one event per line. */
  hasEvents?: true;
}

/** A command as data: parser, help and completion are made from it and the fields of its use case. */
export interface CommandSpec extends CommandFacts {
  fields: Fields;
  run(cli: Cli, raw: Raw): Promise<Outcome>;
}

/** Creates a command from the fields of a use case; only `load` is imported on a call. */
export function createCommand<F extends Fields>({
  fields,
  load,
  ...facts
}: CommandFacts & { fields: F; load: () => Promise<Command<InputOf<F>>> }): CommandSpec {
  return {
    ...facts,
    fields,
    async run(cli, raw) {
      const { name } = facts;
      const given = {
        command: name,
        env: cli.env,
        isOwnCommandLine: true,
        text: createGivenTextReader(cli, raw),
        note: cli.note,
      };
      const input = checkInput(fields, raw, given);
      return (await load())(cli, input);
    },
  };
}

/** The commands that a server can run instead of this machine. */
export const ELSEWHERE =
  'start view respond read status wait watch list show outcome search ledger metrics cost send inbox ack nack sent who task approvals continue extend excuse cancel heartbeat'.split(
    ' ',
  );

/** Other commands that need no project. */
const OF_NO_PROJECT = ['completion', 'demo', 'protocol', 'skill'];

/** Returns a note for a command that runs locally although a server is set; undefined if not needed. */
export const explainLocalAction = (command: string, server: string | undefined): string | undefined =>
  server && !ELSEWHERE.includes(command) && !OF_NO_PROJECT.includes(command)
    ? `council ${command} acts on this folder, not at ${toOneLine(server, 200)} (COUNCIL_SERVER).`
    : undefined;

/** Creates the error that there is no project here, if a server was set. */
export const createNotHereError = (command: string, { message, code }: CouncilError): CouncilError =>
  new CouncilError(code, message, { hint: explainHere(command) });

export const explainHere = (command: string): string =>
  `council ${command} works in the folder of the project, on the machine where that is. With the server work: ${ELSEWHERE.join(', ')}.`;

/** Runs a use case here or on a server. `rest` derives the additional result data from the document. */
export async function performHereOrAtServer<R extends Result>(
  cli: Cli,
  performHere: () => Promise<R>,
  rest: (
    document: R['document'],
    sent: Pick<ServerReply, 'bytes' | 'page'>,
  ) => Omit<R, 'document' | 'failed'> | Promise<Omit<R, 'document' | 'failed'>> = () => ({}) as R,
): Promise<R> {
  if (!cli.server) return performHere();
  const result = await cli.server();
  const document = result.document as R['document'];
  return { ...result, ...(await rest(document, result)), document } as unknown as R;
}
