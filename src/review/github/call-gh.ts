// Calls GitHub through the program `gh`, which has the login of the person or workflow.
import { findSystemProgram } from '../../core/agents/runners/find-command.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { toOneLine } from '../../core/base/text.ts';

/** GitHub's answer: its JSON, or the status of the refusal. */
export type GitHubAnswer = { ok: true; value: unknown } | { ok: false; status: number; why: string };

/** Calls `gh api ENDPOINT`. Throws `failed` without a login or status, `timed_out` if GitHub does not answer. */
export type CallGitHub = (
  endpoint: string,
  request?: { method?: 'POST' | 'PATCH'; body?: unknown; fields?: readonly string[] },
) => Promise<GitHubAnswer>;

const LONGEST_MS = 60_000;

/** Creates a caller for the repository in `root`. Ignores a `gh` inside the project. Throws `failed` without one. */
export function createGitHubCaller(root: string, env: NodeJS.ProcessEnv): CallGitHub {
  const gh = findSystemProgram('gh', root, env);
  if (!gh)
    throw new CouncilError('failed', 'The program gh is not installed, and GitHub is asked through it.', {
      hint: 'Install it (https://cli.github.com), and log in with: gh auth login',
    });
  return async (endpoint, { method, body, fields = [] } = {}) => {
    const { execa } = await import('execa');
    const args = ['api', endpoint, ...(method ? ['--method', method] : []), ...fields];
    const said = await execa(gh.file, body === undefined ? args : [...args, '--input', '-'], {
      cwd: root,
      extendEnv: false,
      env: { ...env, PATH: gh.PATH, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' },
      reject: false,
      timeout: LONGEST_MS,
      input: body === undefined ? '' : JSON.stringify(body),
    });
    if (!said.failed) return { ok: true, value: parseAnswer(said.stdout) };
    if (said.timedOut)
      throw new CouncilError('timed_out', `GitHub gave no answer in ${LONGEST_MS / 1000} s (${endpoint}).`);
    const why = toOneLine(said.stderr || said.shortMessage || '', 300);
    const status = Number(/\bHTTP (\d{3})\b/.exec(said.stderr)?.[1]);
    if (Number.isNaN(status) || status === 401)
      throw new CouncilError('failed', `gh api ${endpoint} failed: ${why}`, {
        hint: 'Look with: gh auth status, gh pr list. In a workflow, set GH_TOKEN.',
      });
    // gh leaves out of its message which part of the request was wrong.
    const errors = /"errors":\s*(\[[^\]]*\])/.exec(said.stdout)?.[1] ?? '';
    return { ok: false, status, why: toOneLine(`${why} ${errors}`, 500) };
  };
}

function parseAnswer(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CouncilError('failed', `gh printed no JSON: ${toOneLine(printed, 100)}`, {
      hint: 'Try: gh api user',
    });
  }
}

/** Returns the value of an answer. Throws `failed` if GitHub refused. */
export function requireAnswer(answer: GitHubAnswer, what: string): unknown {
  if (answer.ok) return answer.value;
  throw new CouncilError('failed', `GitHub refused ${what}: ${answer.why}`, {
    hint: answer.status === 404 ? 'Look with: gh repo view' : 'Look with: gh auth status',
  });
}
