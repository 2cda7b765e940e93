import type { Dialect } from '@tollgate/core/models/dialect';
import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import type { ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import type { Envelope, KeyHeader, ProviderEndpoints } from '../provider.ts';

/** A setting that a preset needs in addition to the credential, used in the URL. */
export interface PresetSetting {
  name: string;
  /** Description in messages: `the region, such as us-east-1`. */
  about: string;
  /** True: requests are signed with it, so it is needed with any base URL. */
  isForSigning?: true;
}

/** A common provider, as data: its URL, authentication and differences. */
export interface ProviderPreset {
  /** Name that an operator enters. */
  name: string;
  title: string;
  dialect: Dialect;
  /** Without a trailing slash; `{region}` is replaced by the setting of that name. */
  baseUrl: string;
  settings: readonly PresetSetting[];
  /** Different URLs, by the value of the setting `region`. */
  regionalBaseUrls?: Readonly<Record<string, string>>;
  /** `none`: optional, for self-hosted servers. */
  credential: 'api-key' | 'aws' | 'google' | 'none';
  keyHeader: KeyHeader;
  envelope: Envelope;
  quirks: ProviderQuirks;
  endpoints: ProviderEndpoints;
  /** Its members in addition to the dialects' own. */
  contract: ProviderContract;
  /** The provider's documentation of this interface. */
  docs: string;
}
