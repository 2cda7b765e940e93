import type { Dialect } from '@tollgate/core/models/dialect';
import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import type { OpenAiChatFlavour } from '@tollgate/dialects/openai-chat/flavour';
import type { Envelope, KeyHeader, ProviderEndpoints } from '../provider.ts';

/** What a preset asks the operator for beside the credential; all of it stands in the address. */
export interface PresetSetting {
  name: string;
  /** What it is, for people: `the region, such as us-east-1`. */
  about: string;
}

/** A provider that many people use: its address, how to authenticate, and where it differs, as data. */
export interface ProviderPreset {
  /** What an operator types. */
  name: string;
  title: string;
  dialect: Dialect;
  /** Without a slash at the end; `{region}` stands for the setting of that name. */
  baseUrl: string;
  settings: readonly PresetSetting[];
  /** Addresses of another form, by the value of the setting `region`. */
  regionalBaseUrls?: Readonly<Record<string, string>>;
  /** `none`: a server of one's own, which may do without. */
  credential: 'api-key' | 'aws' | 'google' | 'none';
  keyHeader: KeyHeader;
  envelope: Envelope;
  flavour: OpenAiChatFlavour;
  endpoints: ProviderEndpoints;
  /** What it takes beside its dialects' own members. */
  contract: ProviderContract;
  /** The provider's own documentation of this interface. */
  docs: string;
}
