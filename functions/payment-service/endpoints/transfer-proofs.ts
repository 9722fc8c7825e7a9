import { downloadTransferProof } from '../api/disbursements/download-transfer-proof.ts';
import type { Service } from '../api/service.ts';
import type { Endpoint } from '../http/endpoint.ts';

export const transferProofs: readonly Endpoint<Service>[] = [downloadTransferProof];
