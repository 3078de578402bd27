// Property tests draw the same cases in every `npm test`, so that a change is judged by what it changed. New cases:
// `PROPERTY_SEED=$RANDOM npm run unit`; a failure prints its seed.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 20_261_122) });
