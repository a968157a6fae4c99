import './style.css'; document.title += '';
