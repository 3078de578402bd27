// Command `trust`.
import type { TrustInput } from '../../app/input/project.ts';
import { trust } from '../../app/trust-project.ts';
import type { TrustResult } from '../../app/trust-project.ts';
import { runnableLine } from '../../app/trust.ts';
import { localTime } from '../../base/local-time.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';

export const trustCommand: Command<TrustInput> = async (cli, input) => {
  const result = await trust(cli, input);
  return toldInLines(result, renderTrustResult(result));
};

function renderTrustResult(result: TrustResult): string {
  const { root } = result.document;
  switch (result.done) {
    case 'granted':
      return renderGrantedTrust(result, root);
    case 'listed':
      return renderTrustList(result);
    case 'revoked':
      return result.document.revoked
        ? `Nothing in ${root} will run until you trust it again. Programs that are already running go on.`
        : `Nobody had trusted ${root}.`;
  }
}

function renderGrantedTrust({ isNew, items }: TrustResult & { done: 'granted' }, root: string): string {
  if (!isNew) return `Nothing new: ${count(items.length)} of ${root} may run already.`;
  const lines = items.map((item) => `  ${runnableLine(item, root)}`);
  const none = ['  no command of its own, and your own agents (~/.claude/agents)'];
  return [`Trusted in ${root}:`, ...(lines.length > 0 ? lines : none)].join('\n');
}

function renderTrustList({ document, items, isOwn }: TrustResult & { done: 'listed' }): string {
  const { root, project, gone } = document;
  const standing = !project
    ? 'Nobody has trusted this folder yet.'
    : project.prepared
      ? `You prepared this folder (${localTime(project.since, Date.now())}): ${isOwn ? 'what you seat here by hand is trusted as it stands.' : 'it has a git remote, so start and run ask about what was not written with council agents add.'}`
      : `Trusted since ${localTime(project.since, Date.now())}.`;
  return [
    `${root}: ${standing}`,
    ...items.map((item) => `  ${item.state.padEnd(8)} ${runnableLine(item, root)}`),
    ...gone.map(
      ({ key, runs, sha256 }) =>
        `  gone     ${runnableLine({ key, runs, sha256, env: [], file: 'no longer there', needs: 'word' }, root)}`,
    ),
    ...(items.length + gone.length === 0 ? ['  No command of its own.'] : []),
  ].join('\n');
}

const count = (commands: number): string => (commands === 1 ? 'the one command' : `all ${commands} commands`);
