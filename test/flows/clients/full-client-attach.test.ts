// @module-tag long
import { openAttach } from '../doors.ts';
import { describeFullClients } from './full-client-matrix.ts';

describeFullClients('a shared daemon', openAttach);
