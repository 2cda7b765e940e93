import type { PresetSetting } from './preset.ts';

export const VERTEX_SETTINGS: readonly PresetSetting[] = [
  { name: 'project', about: 'the id of the Google Cloud project' },
  { name: 'region', about: 'global, or a region such as europe-west1' },
];

/** Vertex has one host per region, and differently named hosts for multi-regions. */
export function vertexAddresses(path: string): { baseUrl: string; regionalBaseUrls: Record<string, string> } {
  return {
    baseUrl: `https://{region}-aiplatform.googleapis.com${path}`,
    regionalBaseUrls: {
      global: `https://aiplatform.googleapis.com${path}`,
      us: `https://aiplatform.us.rep.googleapis.com${path}`,
      eu: `https://aiplatform.eu.rep.googleapis.com${path}`,
    },
  };
}
