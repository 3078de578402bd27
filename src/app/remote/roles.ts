// The roles of tokens: what each is for.

/** `participant`: one seat. `member`: somebody of the team. `worker`: a machine that launches agents. `admin`: whoever runs councils. */
export const ROLES = ['participant', 'member', 'worker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** For whoever sits at a table or looks on. */
export const TABLE: readonly Role[] = ['participant', 'member', 'admin'];
/** For the team: it sees what the command line shows, and starts what may be started. */
export const TEAM: readonly Role[] = ['member', 'admin'];
/** For whoever runs councils: decisions about them. */
export const OWNER: readonly Role[] = ['admin'];
