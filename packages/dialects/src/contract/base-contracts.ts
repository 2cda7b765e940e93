import { CHAT_CONTRACT } from './chat-contract.ts';
import {
  buildContract,
  type ContractEndpoint,
  type ContractTerms,
  type ProviderContract,
  type RequestContract,
} from './contract.ts';
import { EMBEDDINGS_CONTRACT } from './embeddings-contract.ts';
import { MESSAGES_CONTRACT } from './messages-contract.ts';
import { RESPONSES_CONTRACT } from './responses-contract.ts';

/** The terms of every provider. */
export const BASE_TERMS: Readonly<Record<ContractEndpoint, ContractTerms>> = {
  chat: CHAT_CONTRACT,
  messages: MESSAGES_CONTRACT,
  responses: RESPONSES_CONTRACT,
  embeddings: EMBEDDINGS_CONTRACT,
};

export type RequestContracts = Readonly<Record<ContractEndpoint, RequestContract>>;

/** The contracts of one provider, one for each endpoint. */
export function buildContracts(own: ProviderContract, allowed: readonly string[]): RequestContracts {
  const getContract = (endpoint: ContractEndpoint) =>
    buildContract(endpoint, BASE_TERMS[endpoint], own[endpoint], allowed);
  return {
    chat: getContract('chat'),
    messages: getContract('messages'),
    responses: getContract('responses'),
    embeddings: getContract('embeddings'),
  };
}

/** The contracts of a provider of which nothing is known but its dialect. */
export const BASE_CONTRACTS: RequestContracts = buildContracts({}, []);
