import type { Dialect } from '@tollgate/core/models/dialect';
import type { RequestContracts } from '@tollgate/dialects/contract/base-contracts';
import type { ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import type { ProviderConnections } from './connection/provider-connection.ts';
import type { ProviderCredential } from './credential/credential.ts';
import type { UpstreamTimeouts } from './transport/transport.ts';

/** The header of an API key; `authorization` has the prefix `Bearer`. */
export type KeyHeader = 'authorization' | 'x-api-key' | 'api-key';

/**
 * Wrapping of the dialect's request: `bedrock` and `vertex` name the model in the path, and Bedrock frames its streams in
 * Amazon's format.
 */
export type Envelope = 'none' | 'bedrock' | 'vertex';

/** A provider's endpoints besides completions. */
export interface ProviderEndpoints {
  /** `POST /messages/count_tokens`, free of charge. */
  countTokens: boolean;
  /** `POST /responses/input_tokens`, free of charge. */
  inputTokens: boolean;
  /** `POST /embeddings` */
  embeddings: boolean;
  /** `POST /responses` */
  responses: boolean;
  /** `GET /models` */
  models: boolean;
}

/** A provider reached over HTTP, which speaks one dialect. */
export interface HttpProvider {
  kind: 'http';
  id: string;
  name: string;
  /** The preset it was created from; null: a custom address. */
  preset: string | null;
  dialect: Dialect;
  /** Without a trailing slash: `https://api.openai.com/v1`. */
  baseUrl: string;
  keyHeader: KeyHeader;
  credential: ProviderCredential;
  /** Proxy, certificates and HTTP/2. */
  connections: ProviderConnections;
  envelope: Envelope;
  /** Its `openai-chat` variant, if it has one. */
  quirks: ProviderQuirks;
  endpoints: ProviderEndpoints;
  /** How its requests are classified, by endpoint. */
  contracts: RequestContracts;
  /** Region, project, resource; never a secret. */
  settings: Readonly<Record<string, string>>;
  /** null: the transport's timeouts. */
  timeouts: UpstreamTimeouts | null;
  /** Maximum number of concurrent calls in this process; null: no limit. */
  maxConcurrency: number | null;
}

/** The built-in provider, which needs no network. */
interface DemoProvider {
  kind: 'demo';
  name: string;
}

export type Provider = HttpProvider | DemoProvider;
