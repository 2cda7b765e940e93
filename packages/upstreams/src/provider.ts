import type { Dialect } from '@tollgate/core/models/dialect';
import type { RequestContracts } from '@tollgate/dialects/contract/base-contracts';
import type { OpenAiChatFlavour } from '@tollgate/dialects/openai-chat/flavour';
import type { ProviderCredential } from './credential/credential.ts';
import type { UpstreamTimeouts } from './transport/transport.ts';

/** The header that carries an API key; in `authorization` it stands behind `Bearer`. */
export type KeyHeader = 'authorization' | 'x-api-key' | 'api-key';

/**
 * What is around the dialect's own request: `bedrock` and `vertex` name the model in the path, and Bedrock frames its
 * streams in a format of Amazon's.
 */
export type Envelope = 'none' | 'bedrock' | 'vertex';

/** What a provider offers beside completions. */
export interface ProviderEndpoints {
  /** `POST /messages/count_tokens`, free of charge. */
  countTokens: boolean;
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
  /** The preset it was made from; null: an address of the operator's own. */
  preset: string | null;
  dialect: Dialect;
  /** Without a slash at the end: `https://api.openai.com/v1`. */
  baseUrl: string;
  keyHeader: KeyHeader;
  credential: ProviderCredential;
  envelope: Envelope;
  /** What it takes where it speaks `openai-chat`. */
  flavour: OpenAiChatFlavour;
  endpoints: ProviderEndpoints;
  /** How its requests are classified, by endpoint. */
  contracts: RequestContracts;
  /** Region, project, resource: never a secret. */
  settings: Readonly<Record<string, string>>;
  /** null: those of the transport. */
  timeouts: UpstreamTimeouts | null;
  /** Calls under way at once, in this process; null: no limit. */
  maxConcurrency: number | null;
}

/** The provider built into the gateway: it needs no network. */
interface DemoProvider {
  kind: 'demo';
  name: string;
}

export type Provider = HttpProvider | DemoProvider;
