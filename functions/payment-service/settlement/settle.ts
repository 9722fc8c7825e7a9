import type { SettlementMessage } from './message.ts';
import type { DepositSettlementPorts } from './settle-deposit.ts';
import { settleDeposit } from './settle-deposit.ts';
import type { NextLook, SettlementPorts } from './settle-group.ts';
import { settleGroup } from './settle-group.ts';

/** Looks at what a message is about. */
export const settle = async (
  ports: { readonly group: SettlementPorts; readonly deposit: DepositSettlementPorts },
  message: SettlementMessage,
): Promise<NextLook> => {
  switch (message.kind) {
    case 'group':
      return await settleGroup(ports.group, message);
    case 'deposit':
      return await settleDeposit(ports.deposit, message);
  }
};
