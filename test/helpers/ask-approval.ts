// A process that asks "may this run?" and prints the answers: `node ask-approval.ts ROOT AGENT COUNT INSTRUCTION`.
import { FEATURES } from '../../src/features.ts';
import { openApprovalDesk } from '../../src/team/ports.ts';
import { layOutProject } from '../../src/core/store/local/project.ts';
import { hashBoundLaunch } from '../../src/team/tasks/approvals.ts';

const [root = '', agent = '', count = '1', instruction = ''] = process.argv.slice(2);
const desk = openApprovalDesk(
  { note: (line) => console.error(line), env: process.env, features: FEATURES },
  { project: layOutProject(root) },
  { approvalTimeout: Number(process.env.APPROVAL_TIMEOUT ?? 3_600_000) },
);
const bound = {
  agent,
  command: ['node', 'deploy.mjs'],
  program: null,
  env: [],
  cwd: root,
  isolate: 'none',
  readOnly: true,
  tools: [],
  persona: '',
  instruction,
  files: [],
};
const asked = {
  kind: 'sub_agent',
  operation: `launch ${agent}`,
  details: bound,
  risk: 'high',
  requester: agent,
  hash: hashBoundLaunch(bound),
  task: 'T1',
} as const;
for (let n = 0; n < Number(count); n++) {
  const { verdict, approval } = await desk.mayRun(asked);
  console.log(`${verdict} ${approval.id}`);
}
