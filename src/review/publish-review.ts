// Posts a review to its pull request after a yes, and shows it elsewhere where GitHub does not take it.
import fs from 'node:fs';
import { keyNames, PROVIDER_NAMES } from '../core/agents/providers.ts';
import { presets } from '../core/agents/runners/presets/preset-table.ts';
import { redact } from '../core/agents/runners/redact.ts';
import type { App } from '../core/app/app.ts';
import { loadAgents } from '../core/app/load-agents.ts';
import { workspaceHere } from '../core/app/workspace.ts';
import { CouncilError } from '../core/base/errors.ts';
import { fill, loadWords } from '../core/base/words/words.ts';
import type { Language } from '../core/base/words/words.ts';
import { openRepository } from './repository.ts';
import { createGitHubCaller } from './github/call-gh.ts';
import { postReview } from './github/post-review.ts';
import type { ReviewInput } from './input.ts';
import { describeVerdict } from './render-review.ts';
import type { Review } from './report.ts';

type PublishRequest = Pick<ReviewInput, 'pr' | 'yes'>;

/** Throws `usage`, before anything is paid for, where nothing could be posted in the end. */
export function requirePostable({ ask }: Pick<App, 'ask'>, { pr, yes }: PublishRequest): void {
  if (pr === undefined)
    throw new CouncilError('usage', '--post posts to a pull request, and none is named.', {
      hint: 'For example: council review --pr 12 --post',
    });
  if (!ask && !yes)
    throw new CouncilError('usage', 'There is no terminal here to ask whether the review may be posted.', {
      hint: `Post it without asking: council review --pr ${pr} --post --yes`,
    });
}

/** Posts a review, if the person agrees. Returns what became of it, in lines. Throws like `postReview`. */
export async function publishReview(
  app: App,
  { pr, yes }: PublishRequest,
  review: Review,
  lang: Language,
): Promise<string[]> {
  const number = pr!;
  const words = loadWords(lang);
  const say = words.comment;
  const question = `${describeVerdict(review, words)}\n${fill(say.mayPost, { number })}`;
  if (!yes && !/^\s*(?:y(?:es)?|o(?:ui)?)\s*$/i.test((await app.ask?.(question)) ?? ''))
    return [say.unposted];
  const { top } = await openRepository(app);
  const secrets = await listSecrets(app);
  const { summary, lines, refused, body } = await postReview(createGitHubCaller(top, app.env), review, {
    ...{ number, words },
    clean: (text) => redact(text, secrets),
  });
  const told = fill(say.posted, { number, done: say[summary], count: lines });
  if (refused === null) return [told];
  const page = app.env.GITHUB_STEP_SUMMARY;
  if (page) fs.appendFileSync(page, `${body}\n`);
  return [told, fill(say.refusedBy, { why: refused }), page ? say.onPage : body];
}

/** The values of the variables that agents and `gh` log in with. */
async function listSecrets(app: App): Promise<string[]> {
  const agents = (await loadAgents(app, workspaceHere(app))).own();
  const names = [
    ...agents.flatMap((agent) => [...agent.env, ...keyNames(agent)]),
    ...PROVIDER_NAMES.flatMap((provider) => keyNames({ model: `${provider}/`, apiKey: null })),
    ...Object.values(presets).flatMap(({ secrets }) => secrets),
    ...['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
  ];
  return [...new Set(names)].flatMap((name) => app.env[name] ?? []);
}
