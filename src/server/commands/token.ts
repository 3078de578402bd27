// Command `token`: its result in words. A token that was made goes to stdout alone.
import { token } from '../access/token.ts';
import type { ShownToken, TokenResult } from '../access/token.ts';
import type { TokenInput } from '../input/access.ts';
import { oneLine } from '../../core/base/text.ts';
import { localTime } from '../../core/base/local-time.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const tokenCommand: Command<TokenInput> = async (cli, input) => {
  const result = await token(cli, input);
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
  const whose = as === null ? '' : ` ${oneLine(as, 64)}`;
  const where = council === null ? '' : ` in "${oneLine(council, 64)}"`;
  const until = expiresAt === null ? '' : `, until ${localTime(oneLine(expiresAt, 30), now)}`;
  return `${id} ${state} ${oneLine(role, 20)}${whose}${where}, made ${localTime(oneLine(createdAt, 30), now)} by ${oneLine(createdBy, 80)}${until}`;
}
