import { SENDING_PACE, type SendingPace } from '../runtime/watch-sending.ts';

/** Limits of WebSockets. A test compares them with docs/operations.md. */
export interface SocketLimits {
  /** False: handshakes are refused with 426, and clients use HTTP. */
  isEnabled: boolean;
  /** Open connections of this process … */
  maxSockets: number;
  /** … of one account … */
  maxAccountSockets: number;
  /** … and of one key. */
  maxKeySockets: number;
  /** Responses in progress on one connection, as OpenAI limits them; further ones wait. */
  maxRunning: number;
  /** Responses that wait on one connection; further ones are refused. */
  maxWaiting: number;
  /** Messages of one connection that may be refused because too many wait, or reports without a turn; after them it ends. */
  maxRefused: number;
  /** Different values of `stream_id` on one connection, as OpenAI limits them. */
  maxStreams: number;
  /** A connection ends after this time, once its responses have ended, as OpenAI's do. */
  maxAgeMs: number;
  /** A connection without a response ends after this time. */
  idleMs: number;
  /** Interval of pings. A connection that is silent for one more interval ends. */
  pingMs: number;
  /** Bytes that wait to be sent when a message arrives: a client that sends without reading is disconnected. */
  maxUnsentBytes: number;
  /** How slowly a client may read while more than these bytes wait: they are in memory that others need. */
  sendingPace: SendingPace;
  /** Pings and pongs of a client between two ticks (5 seconds); after them the connection ends. */
  maxControlFrames: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  isEnabled: true,
  maxSockets: 4_096,
  maxAccountSockets: 1_024,
  maxKeySockets: 256,
  maxRunning: 16,
  maxWaiting: 32,
  maxRefused: 100,
  maxStreams: 32,
  maxAgeMs: 3_600_000,
  idleMs: 900_000,
  pingMs: 30_000,
  maxUnsentBytes: 1024 * 1024,
  sendingPace: SENDING_PACE,
  maxControlFrames: 500,
};

/** Close codes: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 and the registry of IANA. */
export const CLOSE = {
  /** The connection has reached an age or idle limit; clients open a new one. */
  goingAway: 1001,
  /** The client broke a rule, or its key is not active any more. */
  policy: 1008,
  failure: 1011,
  /** The process shuts down. */
  restart: 1012,
  /** A lack of memory. */
  tryLater: 1013,
};
