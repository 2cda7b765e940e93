import { Buffer } from 'node:buffer';
import { Socket } from 'node:net';

/** Of one read, as Node itself reads. */
const READ_BYTES = 64 * 1024;

/**
 * Where all connections of this thread are read into: what one read has brought is handled before the next one. It is part of
 * a larger block, so `freeMemory` leaves it alone.
 */
const memory = Buffer.allocUnsafeSlow(READ_BYTES + 1).subarray(0, READ_BYTES);

/** Handles a read. @param length of the bytes at the beginning of the memory @returns false to pause the connection */
type OnRead = (length: number, memory: Buffer) => boolean;

/** What a socket has of the option `onread` of https://nodejs.org/api/net.html#new-netsocketoptions */
interface Receiver {
  _handle?: { useUserBuffer?: (into: Buffer) => void } | null;
  [key: symbol]: unknown;
}

/** The members in which a socket keeps its `onread`; null: not found in this version of Node. */
const MEMBERS = findMembers();

function findMembers(): { buffer: symbol; callback: symbol } | null {
  const buffer = Buffer.alloc(1);
  const callback: OnRead = () => true;
  const socket = new Socket({ onread: { buffer, callback } });
  const found = (value: unknown) =>
    Object.getOwnPropertySymbols(socket).find((key) => (socket as unknown as Receiver)[key] === value);
  const members = { buffer: found(buffer), callback: found(callback) };
  socket.destroy();
  return members.buffer === undefined || members.callback === undefined
    ? null
    : { buffer: members.buffer, callback: members.callback };
}

/**
 * Reads an accepted connection like a socket with the option `onread`, which Node has only for outgoing ones. Otherwise it
 * allocates 64 KiB for each read and a stream passes the bytes on, which takes longer than reading the head of a request.
 * If the connection or the version of Node cannot do this, the socket emits `data`, as it always does.
 * @param onRead gets memory, and how many bytes at its beginning were read; they are valid until it returns
 * @returns a function that ends this: the socket emits `data` again
 */
export function lendReads(socket: Socket, onRead: (memory: Buffer, length: number) => void): () => void {
  const receiver = socket as unknown as Receiver;
  const handle = receiver._handle;
  if (MEMBERS === null || typeof handle?.useUserBuffer !== 'function') return () => undefined;
  let isLent = true;
  const callback: OnRead = (length, from) => {
    if (!isLent) return socket.push(Buffer.from(from.subarray(0, length)));
    onRead(from, length);
    return true;
  };
  receiver[MEMBERS.buffer] = memory;
  receiver[MEMBERS.callback] = callback;
  handle.useUserBuffer(memory);
  return () => {
    isLent = false;
  };
}
