/** The process of the provider that attackers ask. It sends its port. */
import { startStreamUpstream } from '../streams/upstream.ts';

const CHUNKS_PER_SECOND = 50;
/** Longer than an attacker leaves a stream unread. */
const CHUNKS_PER_STREAM = 500;

const { port } = await startStreamUpstream({
  chunksPerStream: CHUNKS_PER_STREAM,
  chunksPerSecond: CHUNKS_PER_SECOND,
});
process.send?.(port);
