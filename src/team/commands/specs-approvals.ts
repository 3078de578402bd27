// Specs of the commands by which a person allows what agents ask for (data).
import { approvalsFields } from '../input/approvals.ts';
import { auditFields } from '../input/audit.ts';
import { command } from '../../core/cli/spec.ts';
import type { CommandSpec } from '../../core/cli/spec.ts';

/** The commands of approvals. */
export const approvalSpecs: CommandSpec[] = [
  command({
    name: 'approvals',
    fields: approvalsFields,
    summary: 'list, show, approve or reject what agents have to ask for',
    details:
      'Actions: list (default), show ID, approve ID, reject ID --reason TEXT. An approval holds for exactly what was asked, once, and expires after approvalTimeout of COUNCIL.md. A person decides, never an agent; with approveAt: terminal in COUNCIL.md, at a terminal only. See docs/approvals.md.',
    examples: [
      'council approvals',
      'council approvals show a1',
      'council approvals approve a1 --as ana',
      'council approvals reject a2 --reason "not on a Friday"',
    ],
    load: async () => (await import('./approvals.ts')).approvalsCommand,
  }),
  command({
    name: 'audit',
    fields: auditFields,
    summary: 'who asked, who allowed it, what ran; and whether that record is whole',
    details:
      'Actions: list (default), verify. verify checks the hash of every entry, and that each names the one before it; exit 1 with the first entry that was altered, removed or put elsewhere, and for a last one that was cut off. See docs/approvals.md.',
    examples: ['council audit', 'council audit list --task S1/T1', 'council audit verify --json'],
    load: async () => (await import('./audit.ts')).auditCommand,
  }),
];
