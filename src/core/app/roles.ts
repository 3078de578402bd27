// The roles of tokens: what each is for.

/**
 * `participant`: one seat. `member`: of the team. `worker`: a machine that launches agents.
 * `admin`: runs councils.
 */
export const ROLES = ['participant', 'member', 'worker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** For participants and observers. */
export const TABLE: readonly Role[] = ['participant', 'member', 'admin'];
/** For the team: it sees what the command line shows, and starts what may be started. */
export const TEAM: readonly Role[] = ['member', 'admin'];
/** For those who run councils: decisions about them. */
export const OWNER: readonly Role[] = ['admin'];
