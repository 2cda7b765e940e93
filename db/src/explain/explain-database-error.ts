import { StartFailure } from '../start-failure.ts';

interface Place {
  /** `db.example.com:5432`; never with the password. */
  server: string;
  user: string;
  database: string;
}

type Explanation = (place: Place, message: string) => [what: string, fix: string];

const UNREACHABLE =
  'Check the host and port in DATABASE_URL, that the server runs, and that a firewall lets this machine in.';
const TLS_FIX =
  'Let Node trust the certificate authority (NODE_EXTRA_CA_CERTS=ca.pem) with ?sslmode=verify-full, or use ?sslmode=require, which does not check the certificate.';

/**
 * By code: of Node (https://nodejs.org/api/errors.html), of postgres.js, and of PostgreSQL
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ({ server }) => [`No PostgreSQL server answers at ${server}`, UNREACHABLE],
  ECONNRESET: ({ server }) => [`The connection to PostgreSQL at ${server} was closed`, UNREACHABLE],
  CONNECTION_CLOSED: ({ server }) => [`The connection to PostgreSQL at ${server} was closed`, UNREACHABLE],
  CONNECTION_DESTROYED: ({ server }) => [`The connection to PostgreSQL at ${server} was closed`, UNREACHABLE],
  CONNECT_TIMEOUT: ({ server }) => [`PostgreSQL at ${server} does not respond in time`, UNREACHABLE],
  ETIMEDOUT: ({ server }) => [`PostgreSQL at ${server} does not respond in time`, UNREACHABLE],
  EHOSTUNREACH: ({ server }) => [`There is no route to ${server}`, UNREACHABLE],
  ENETUNREACH: ({ server }) => [`There is no route to ${server}`, UNREACHABLE],
  ENOTFOUND: ({ server }) => [
    `The host name of ${server} does not exist`,
    'Correct the host in DATABASE_URL.',
  ],
  EAI_AGAIN: ({ server }) => [
    `The host name of ${server} cannot be looked up now`,
    'Check the network and DNS of this machine, then start again.',
  ],
  '28P01': ({ user, server }) => [
    `PostgreSQL at ${server} refuses the password of user ${user}`,
    'Correct the password in DATABASE_URL; write special characters as %XX.',
  ],
  '28000': ({ user, server, database }, message) =>
    /no encryption|SSL off/i.test(message)
      ? [
          `PostgreSQL at ${server} accepts only encrypted connections`,
          'Add ?sslmode=require to DATABASE_URL.',
        ]
      : [
          `PostgreSQL at ${server} does not let user ${user} into database ${database} from this machine`,
          'Check the user in DATABASE_URL, and allow the connection in pg_hba.conf of the server.',
        ],
  '3D000': ({ database, server }) => [
    `PostgreSQL at ${server} has no database ${database}`,
    `Create it (CREATE DATABASE ${database}), or correct DATABASE_URL.`,
  ],
  '42501': ({ user, database }, message) => [
    `User ${user} has too few rights in database ${database}: ${message}`,
    `Let the user own the database (ALTER DATABASE ${database} OWNER TO ${user}), or grant it CREATE on the database and on schema public.`,
  ],
  '53300': ({ server }) => [
    `PostgreSQL at ${server} has no free connection`,
    'Raise max_connections, or stop other clients: an api process needs 18, the console 12.',
  ],
  '53100': ({ server }) => [`The disk of PostgreSQL at ${server} is full`, 'Free some space on the server.'],
  '53200': ({ server }) => [`PostgreSQL at ${server} is out of memory`, 'Give the server more memory.'],
  '57P03': ({ server }) => [
    `PostgreSQL at ${server} is starting or shutting down`,
    'Start again in a moment; recovery after a crash can take minutes.',
  ],
  '25006': ({ server }) => [
    `PostgreSQL at ${server} is read-only`,
    'Point DATABASE_URL to the primary server, not to a standby.',
  ],
  '55000': ({ server }, message) => [
    `PostgreSQL at ${server} does not accept this connection: ${message}`,
    'Check the settings of the database on the server.',
  ],
  SASL_SIGNATURE_MISMATCH: ({ server }) => [
    `The server at ${server} failed to authenticate itself`,
    'Check that DATABASE_URL leads to the right server, without a program in between.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: ({ server }) => [`The TLS certificate of ${server} is not trusted`, TLS_FIX],
  DEPTH_ZERO_SELF_SIGNED_CERT: ({ server }) => [`The TLS certificate of ${server} is not trusted`, TLS_FIX],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ({ server }) => [
    `The TLS certificate of ${server} is not trusted`,
    TLS_FIX,
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ({ server }) => [
    `The TLS certificate of ${server} is not trusted`,
    TLS_FIX,
  ],
  CERT_HAS_EXPIRED: ({ server }) => [
    `The TLS certificate of ${server} has expired`,
    'Renew it on the server.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ({ server }) => [
    `The TLS certificate of ${server} is for another host name`,
    'Use the name in the certificate in DATABASE_URL.',
  ],
};

const CUT_OFF = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET']);

/**
 * Explains why a database could not be used.
 * @returns a StartFailure, or the error as it was when its cause is not known
 */
export function explainDatabaseError(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof StartFailure) return error;
  const code = findCode(error);
  const place = describePlace(url);
  // A server without TLS answers the request for it with "N", and the connection ends there.
  const isCut = CUT_OFF.has(code) && /sslmode=(?!disable)|ssl=true/.test(url);
  if (isCut || /wrong version number|ERR_SSL|EPROTO/.test(`${code} ${error.message}`))
    return new StartFailure(
      `The TLS handshake with PostgreSQL at ${place.server} failed`,
      'Remove sslmode from DATABASE_URL if the server has no TLS, or switch TLS on there.',
      { cause: error },
    );
  const explain = Object.hasOwn(EXPLANATIONS, code) ? EXPLANATIONS[code] : undefined;
  return explain === undefined ? error : new StartFailure(...explain(place, error.message), { cause: error });
}

/** A refused connection to several addresses is an AggregateError that has the code inside. */
function findCode(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return inner instanceof Error ? findCode(inner) : '';
}

function describePlace(url: string): Place {
  try {
    const { hostname, port, username, pathname } = new URL(url);
    return {
      server: `${hostname}:${port === '' ? '5432' : port}`,
      user: decodeURIComponent(username),
      database: decodeURIComponent(pathname.slice(1)),
    };
  } catch {
    return { server: 'DATABASE_URL', user: '', database: '' };
  }
}
