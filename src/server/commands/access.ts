// Commands `token`, `open` and `invite`. A created token or link is the only output on stdout.
import { manageTokens } from '../access/token.ts';
import type { ShownToken, TokenResult } from '../access/token.ts';
import type { TokenInput, OpenInput, InviteInput } from '../input.ts';
import { toOneLine } from '../../core/base/text.ts';
import { formatLocalTime } from '../../core/base/local-time.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import { open, invite } from '../access/open.ts';

export const performToken: Command<TokenInput> = async (cli, input) => {
  const result = await manageTokens(cli, input);
  if (result.action === 'create' && !cli.json)
    cli.note(
      `This is shown once. Whoever has it is ${result.document.role} here; revoke it with: council token revoke ${result.document.id}`,
    );
  return toTextOutcome(result, renderTokenResult(result));
};

function renderTokenResult(result: TokenResult): string {
  switch (result.action) {
    case 'create':
      return result.document.token;
    case 'revoke':
      return `Revoked ${result.document.id}. A server that runs knows within 4 s.`;
    case 'list':
      return result.document.tokens.length === 0
        ? 'No tokens yet; only this machine can connect.'
        : result.document.tokens.map((one) => formatTokenLine(one, Date.now())).join('\n');
  }
}

function formatTokenLine(
  { id, role, council, as, createdAt, createdBy, expiresAt, state }: ShownToken,
  now: number,
): string {
  const whose = as === null ? '' : ` ${toOneLine(as, 64)}`;
  const where = council === null ? '' : ` in "${toOneLine(council, 64)}"`;
  const until = expiresAt === null ? '' : `, until ${formatLocalTime(toOneLine(expiresAt, 30), now)}`;
  return `${id} ${state} ${toOneLine(role, 20)}${whose}${where}, made ${formatLocalTime(toOneLine(createdAt, 30), now)} by ${toOneLine(createdBy, 80)}${until}`;
}

export const performOpen: Command<OpenInput> = async (cli, input) => {
  const result = await open(cli, { ...input, print: input.print || cli.json });
  const { pid, end } = result.document;
  if (!cli.json)
    cli.note(
      result.started
        ? `Server started in the background (stop: ${end})`
        : `The server is already running as process ${pid} (stop: ${end})`,
    );
  if (!result.opened && !cli.json) cli.note('This link works once, for one minute:');
  return toTextOutcome(result, result.opened ? 'The browser opens it.' : result.document.url);
};

export const performInvite: Command<InviteInput> = async (cli, input) => {
  const result = await invite(cli, input);
  if (result.action === 'revoke') {
    const { participant, name, revoked } = result.document;
    const what = revoked.length === 1 ? '1 link or token' : `${revoked.length} links and tokens`;
    return toTextOutcome(
      result,
      `Revoked ${what} of ${participant} in "${name}". A server that runs knows within 4 s.`,
    );
  }
  const { participant, name, url, expiresAt } = result.document;
  if (!cli.json)
    cli.note(
      `Whoever has this link speaks as ${participant} in "${name}", until ${formatLocalTime(expiresAt, Date.now())}. Revoke it with: council invite ${participant} --name ${name} --revoke`,
    );
  if (!result.isServed)
    cli.note('No server of this project runs here: the link leads somewhere once one does (council serve).');
  else if (!result.isPublic)
    cli.note(
      'The link works on this machine only. For others put TLS in front, and start the server with --public-url https://…',
    );
  return toTextOutcome(result, url);
};
