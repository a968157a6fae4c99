// One script for all pages of Hardpan; the page says which one it is.
import { startReport } from './report';
import './style.css';
import { startViewer } from './viewer';

if (document.body.dataset.page === 'viewer') void startViewer();
else startReport();
