// Loaded before council when documents are written: random numbers come from a seed, so that ids and labels are the same each time.
import crypto from 'node:crypto';

let count = 0;

/** Bytes that follow from the seed, the command and how many were asked for before. */
function sameBytes(length: number): Buffer {
  const parts: Buffer[] = [];
  for (let have = 0; have < length; have += 32) {
    const seed = `${process.env.DOCS_SEED} ${process.argv.slice(2).join(' ')} ${++count}`;
    parts.push(crypto.createHash('sha256').update(seed).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

function sameUuid(): ReturnType<typeof crypto.randomUUID> {
  const hex = sameBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

Object.assign(crypto, { randomBytes: sameBytes, randomUUID: sameUuid });
