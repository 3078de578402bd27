// Command `invite`: the link goes to stdout alone.
import { invite } from '../access/invite.ts';
import type { InviteInput } from '../input/access.ts';
import { localTime } from '../../core/base/local-time.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const inviteCommand: Command<InviteInput> = async (cli, input) => {
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
      `Whoever has this link speaks as ${participant} in "${name}", until ${localTime(expiresAt, Date.now())}. Revoke it with: council invite ${participant} --name ${name} --revoke`,
    );
  if (!result.isServed)
    cli.note('No server of this project runs here: the link leads somewhere once one does (council serve).');
  else if (!result.isPublic)
    cli.note(
      'The link works on this machine only. For others put TLS in front, and start the server with --public-url https://…',
    );
  return toTextOutcome(result, url);
};
