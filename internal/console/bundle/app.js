/* Generated from cddc93acf5bf552f989fe5c2566d21d34cc98847b8f9588f681c9c8f41369c19; see licenses.txt. */
var pr,et,kc,Mh,xa,vc,_c,jc,Ti,rr,wo,Cc,Ai,Di,Ri,Oh,dr={},cr=[],Eh=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,hr=Array.isArray;function sa(e,t){
for(var n in t)e[n]=t[n];return e}function Mi(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function Oi(e,t,n){var s,o,r,i={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:i[r]=t[r];if(arguments.length>2&&(i.children=arguments.length>3?pr.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
i[r]===void 0&&(i[r]=e.defaultProps[r]);return ir(e,i,s,o,null)}function ir(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++kc,__i:-1,__u:0};return o==null&&et.vnode!=null&&et.vnode(r),r}function fr(e){return e.children}function lr(e,t){this.props=e,this.context=t}function Ka(e,t){if(t==null)return e.__?Ka(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?Ka(e):null}function Ih(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=sa({},
t);r.__v=t.__v+1,et.vnode&&et.vnode(r),Ei(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??Ka(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,Ac(s,r,o),
t.__e=t.__=null,r.__e!=n&&Sc(r)}}function Sc(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),Sc(e)}function wc(e){(!e.__d&&(e.__d=!0)&&xa.push(e)&&!ur.__r++||vc!=et.debounceRendering)&&((vc=et.debounceRendering)||_c)(ur)}function ur(){
try{for(var e,t=1;xa.length;)xa.length>t&&xa.sort(jc),e=xa.shift(),t=xa.length,Ih(e)}finally{xa.length=ur.__r=0}}function Tc(e,t,n,s,o,r,i,d,g,f,y){var A,b,T,N,
Z,ue,Se=s&&s.__k||cr,ae=t.length;for(g=Ph(n,t,Se,g,ae),A=0;A<ae;A++)(T=n.__k[A])!=null&&(b=T.__i!=-1&&Se[T.__i]||dr,T.__i=A,ue=Ei(e,T,b,o,r,i,d,g,f,y),N=T.__e,T.
ref&&b.ref!=T.ref&&(b.ref&&Ii(b.ref,null,T),y.push(T.ref,T.__c||N,T)),Z==null&&N!=null&&(Z=N),4&T.__u?(g=Dc(T,g,e),b.__e&&(b.__e=null)):typeof T.type=="function"&&
ue!==void 0?g=ue:N&&(g=N.nextSibling),T.__u&=-7);return n.__e=Z,g}function Ph(e,t,n,s,o){var r,i,d,g,f,y=n.length,A=y,b=0;for(e.__k=new Array(o),r=0;r<o;r++)(i=
t[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i=="string"||typeof i=="number"||typeof i=="bigint"||i.constructor==String?i=e.__k[r]=ir(null,i,null,
null,null):hr(i)?i=e.__k[r]=ir(fr,{children:i},null,null,null):i.constructor===void 0&&i.__b>0?i=e.__k[r]=ir(i.type,i.props,i.key,i.ref?i.ref:null,i.__v):e.__k[r]=
i,g=r+b,i.__=e,i.__b=e.__b+1,d=null,(f=i.__i=Lh(i,n,g,A))!=-1&&(A--,(d=n[f])&&(d.__u|=2)),d==null||d.__v==null?(f==-1&&(o>y?b--:o<y&&b++),typeof i.type!="functi\
on"&&(i.__u|=4)):f!=g&&(f==g-1?b--:f==g+1?b++:(f>g?b--:b++,i.__u|=4))):e.__k[r]=null;if(A)for(r=0;r<y;r++)(d=n[r])!=null&&(2&d.__u)==0&&(d.__e==s&&(s=Ka(d)),Oc(
d,d));return s}function Dc(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=Dc(s[o],t,n));return t}e.__e!=t&&(t&&
e.type&&!t.parentNode&&(t=Ka(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function Lh(e,t,n,s){var o,r,i,d=e.key,g=e.type,f=t[n],y=f!=null&&(2&f.__u)==0;if(f===null&&d==null||y&&d==f.key&&g==f.type)return n;if(s>(y?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((f=t[i=o>=0?o--:r++])!=null&&(2&f.__u)==0&&d==f.key&&g==f.type)return i}return-1}function yc(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||Eh.test(t)?n:n+"px"}function or(e,t,n,s,o){var r,i;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||yc(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||yc(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
Cc,"$1")),i=t.toLowerCase(),t=i in e||t=="onFocusOut"||t=="onFocusIn"?i.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[wo]=s[wo]:(n[wo]=Ai,e.addEventListener(
t,r?Ri:Di,r)):e.removeEventListener(t,r?Ri:Di,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function xc(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[rr]==null)t[rr]=Ai++;else if(t[rr]<n[wo])return;return n(et.event?et.event(t):t)}}}function Ei(e,t,n,s,o,r,i,d,g,f){var y,A,b,T,N,Z,
ue,Se,ae,ut,kt,gt,an,q,ht,pt,ft=t.type;if(t.constructor!==void 0)return null;128&n.__u&&(g=!!(32&n.__u),r=[d=t.__e=n.__e]),(y=et.__b)&&y(t);e:if(typeof ft=="fun\
ction"){A=i.length;try{if(ae=t.props,ut=ft.prototype&&ft.prototype.render,kt=(y=ft.contextType)&&s[y.__c],gt=y?kt?kt.props.value:y.__:s,n.__c?Se=(b=t.__c=n.__c).
__=b.__E:(ut?t.__c=b=new ft(ae,gt):(t.__c=b=new lr(ae,gt),b.constructor=ft,b.render=zh),kt&&kt.sub(b),b.state||(b.state={}),b.__n=s,T=b.__d=!0,b.__h=[],b._sb=[]),
ut&&b.__s==null&&(b.__s=b.state),ut&&ft.getDerivedStateFromProps!=null&&(b.__s==b.state&&(b.__s=sa({},b.__s)),sa(b.__s,ft.getDerivedStateFromProps(ae,b.__s))),N=
b.props,Z=b.state,b.__v=t,T)ut&&ft.getDerivedStateFromProps==null&&b.componentWillMount!=null&&b.componentWillMount(),ut&&b.componentDidMount!=null&&b.__h.push(
b.componentDidMount);else{if(ut&&ft.getDerivedStateFromProps==null&&ae!==N&&b.componentWillReceiveProps!=null&&b.componentWillReceiveProps(ae,gt),t.__v==n.__v||
!b.__e&&b.shouldComponentUpdate!=null&&b.shouldComponentUpdate(ae,b.__s,gt)===!1){t.__v!=n.__v&&(b.props=ae,b.state=b.__s,b.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(Oe){Oe&&(Oe.__=t)}),cr.push.apply(b.__h,b._sb),b._sb=[],b.__h.length&&i.push(b),d=Ka(n);break e}b.componentWillUpdate!=null&&b.componentWillUpdate(
ae,b.__s,gt),ut&&b.componentDidUpdate!=null&&b.__h.push(function(){b.componentDidUpdate(N,Z,ue)})}if(b.context=gt,b.props=ae,b.__P=e,b.__e=!1,an=et.__r,q=0,ut)b.
state=b.__s,b.__d=!1,an&&an(t),y=b.render(b.props,b.state,b.context),cr.push.apply(b.__h,b._sb),b._sb=[];else do b.__d=!1,an&&an(t),y=b.render(b.props,b.state,b.
context),b.state=b.__s;while(b.__d&&++q<25);b.state=b.__s,b.getChildContext!=null&&(s=sa(sa({},s),b.getChildContext())),ut&&!T&&b.getSnapshotBeforeUpdate!=null&&
(ue=b.getSnapshotBeforeUpdate(N,Z)),ht=y!=null&&y.type===fr&&y.key==null?Mc(y.props.children):y,d=Tc(e,hr(ht)?ht:[ht],t,n,s,o,r,i,d,g,f),b.base=t.__e,t.__u&=-161,
b.__h.length&&i.push(b),Se&&(b.__E=b.__=null)}catch(Oe){if(i.length=A,t.__v=null,g||r!=null){if(Oe.then){for(t.__u|=g?160:128;d&&d.nodeType==8&&d.nextSibling;)d=
d.nextSibling;r!=null&&(r[r.indexOf(d)]=null),t.__e=d}else if(r!=null)for(pt=r.length;pt--;)Mi(r[pt])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),Oe.then||Rc(
t),et.__e(Oe,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):d=t.__e=Fh(n.__e,t,n,s,o,r,i,g,f);return(y=et.diffed)&&y(t),128&t.__u?void 0:d}function Rc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(Rc))}function Ac(e,t,n){for(var s=0;s<n.length;s++)Ii(n[s],n[++s],n[++s]);et.__c&&et.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){et.__e(r,o.__v)}})}function Mc(e){return typeof e!="object"||e==null||e.__b>0?e:hr(e)?e.map(Mc):e.constructor!==
void 0?null:sa({},e)}function Fh(e,t,n,s,o,r,i,d,g){var f,y,A,b,T,N,Z,ue=n.props||dr,Se=t.props,ae=t.type;if(ae=="svg"?o="http://www.w3.org/2000/svg":ae=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(f=0;f<r.length;f++)if((T=r[f])&&"setAttribute"in T==!!ae&&(ae?T.localName==
ae:T.nodeType==3)){e=T,r[f]=null;break}}if(e==null){if(ae==null)return document.createTextNode(Se);e=document.createElementNS(o,ae,Se.is&&Se),d&&(et.__m&&et.__m(
t,r),d=!1),r=null}if(ae==null)ue===Se||d&&e.data==Se||(e.data=Se);else{if(r=ae=="textarea"&&Se.defaultValue!=null?null:r&&pr.call(e.childNodes),!d&&r!=null)for(ue=
{},f=0;f<e.attributes.length;f++)ue[(T=e.attributes[f]).name]=T.value;for(f in ue)T=ue[f],f=="dangerouslySetInnerHTML"?A=T:f=="children"||f in Se||f=="value"&&"\
defaultValue"in Se||f=="checked"&&"defaultChecked"in Se||or(e,f,null,T,o);for(f in Se)T=Se[f],f=="children"?b=T:f=="dangerouslySetInnerHTML"?y=T:f=="value"?N=T:
f=="checked"?Z=T:d&&typeof T!="function"||ue[f]===T||or(e,f,T,ue[f],o);if(y)d||A&&(y.__html==A.__html||y.__html==e.innerHTML)||(e.innerHTML=y.__html),t.__k=[];else if(A&&
(e.innerHTML=""),Tc(t.type=="template"?e.content:e,hr(b)?b:[b],t,n,s,ae=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,i,r?r[0]:n.__k&&Ka(n,0),d,g),r!=null)
for(f=r.length;f--;)Mi(r[f]);d&&ae!="textarea"||(f="value",ae=="progress"&&N==null?e.removeAttribute("value"):N!=null&&(N!==e[f]||ae=="progress"&&!N||ae=="optio\
n"&&N!=ue[f])&&or(e,f,N,ue[f],o),f="checked",Z!=null&&Z!=e[f]&&or(e,f,Z,ue[f],o))}return e}function Ii(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u=="\
function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){et.__e(o,n)}}function Oc(e,t,n){var s,o;if(et.unmount&&et.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||Ii(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){et.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&Oc(s[o],t,n||typeof e.type!="function");n||Mi(e.__e),e.__c=e.__=e.__e=void 0}function zh(e,t,n){return this.constructor(e,n)}function Pi(e,t,n){
var s,o,r,i;t==document&&(t=document.documentElement),et.__&&et.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],i=[],Ei(t,e=(!s&&n||t).__k=Oi(fr,null,
[e]),o||dr,dr,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?pr.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,i),Ac(r,e,i),e.props.children=null}pr=cr.slice,et={__e:function(e,t,n,s){for(var o,r,i;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),i=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),i=o.__d),i)return o.__E=o}catch(d){e=d}throw e}},kc=0,Mh=function(e){return e!=null&&e.constructor===
void 0},lr.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=sa({},this.state),typeof e=="function"&&(e=e(sa({},n),
this.props)),e&&sa(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),wc(this))},lr.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),wc(this))},
lr.prototype.render=fr,xa=[],_c=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,jc=function(e,t){return e.__v.__b-t.__v.__b},
ur.__r=0,Ti=Math.random().toString(8),rr="__d"+Ti,wo="__a"+Ti,Cc=/(PointerCapture)$|Capture$/i,Ai=0,Di=xc(!1),Ri=xc(!0),Oh=0;var Ic=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var i=t[r++],d=t[r]?(t[0]|=i?1:2,n[t[r++]]):t[++r];i===3?s[0]=d:i===4?s[1]=Object.assign(s[1]||
{},d):i===5?(s[1]=s[1]||{})[t[++r]]=d:i===6?s[1][t[++r]]+=d+"":i?(o=e.apply(d,Ic(e,d,n,["",null])),s.push(o),d[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(d)}return s},
Ec=new Map;function Pc(e){var t=Ec.get(this);return t||(t=new Map,Ec.set(this,t)),(t=Ic(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,i="",d="",g=[0],f=function(b){
r===1&&(b||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?g.push(0,b,i):r===3&&(b||i)?(g.push(3,b,i),r=2):r===2&&i==="..."&&b?g.push(4,b,0):r===2&&i&&!b?g.push(5,0,!0,
i):r>=5&&((i||!b&&r===5)&&(g.push(r,0,i,o),r=6),b&&(g.push(r,b,0,o),r=6)),i=""},y=0;y<n.length;y++){y&&(r===1&&f(),f(y));for(var A=0;A<n[y].length;A++)s=n[y][A],
r===1?s==="<"?(f(),g=[g],r=3):i+=s:r===4?i==="--"&&s===">"?(r=1,i=""):i=s+i[0]:d?s===d?d="":i+=s:s==='"'||s==="'"?d=s:s===">"?(f(),r=1):r&&(s==="="?(r=5,o=i,i=""):
s==="/"&&(r<5||n[y][A+1]===">")?(f(),r===3&&(g=g[0]),r=g,(g=g[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(f(),r=2):i+=s),r===3&&i==="!--"&&(r=4,g=g[0])}return f(),g})(e)),t),arguments,[])).length>1?t:t[0]}var yo,yt,Li,Lc,$r=0,Bc=[],St=et,Fc=St.__b,zc=St.__r,Nc=St.diffed,Wc=St.__c,qc=St.unmount,Hc=St.__;function zi(e,t){St.__h&&St.__h(yt,e,$r||t),$r=0;var n=yt.__H||
(yt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function I(e){return $r=1,Nh(Gc,e)}function Nh(e,t,n){var s=zi(yo++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):Gc(void 0,t),function(d){var g=s.__N?s.__N[0]:s.__[0],f=s.t(g,d);g!==f&&(s.__N=[f,s.__[1]],s.__c.setState({}))}],s.__c=yt,!yt.__f)){var o=function(d,g,f){
if(!s.__c.__H)return!0;var y=!1,A=s.__c.props!==d;if(s.__c.__H.__.some(function(T){if(T.__N){y=!0;var N=T.__[0];T.__=T.__N,T.__N=void 0,N!==T.__[0]&&(A=!0)}}),r){
var b=r.call(this,d,g,f);return y?b||A:b}return!y||A};yt.__f=!0;var r=yt.shouldComponentUpdate,i=yt.componentWillUpdate;yt.componentWillUpdate=function(d,g,f){if(this.
__e){var y=r;r=void 0,o(d,g,f),r=y}i&&i.call(this,d,g,f)},yt.shouldComponentUpdate=o}return s.__N||s.__}function we(e,t){var n=zi(yo++,3);!St.__s&&Jc(n.__H,t)&&
(n.__=e,n.u=t,yt.__H.__h.push(n))}function Mt(e){return $r=5,nn(function(){return{current:e}},[])}function nn(e,t){var n=zi(yo++,7);return Jc(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function Wh(){for(var e;e=Bc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(mr),t.__h.some(Fi),t.__h=[]}catch(n){t.__h=[],St.__e(n,e.__v)}}}St.__b=function(e){
yt=null,Fc&&Fc(e)},St.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Hc&&Hc(e,t)},St.__r=function(e){zc&&zc(e),yo=0;var t=(yt=e.__c).__H;t&&(Li===yt?(t.
__h=[],yt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(mr),t.__h.some(Fi),t.__h=[],yo=0)),Li=yt},St.diffed=function(e){Nc&&Nc(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(Bc.push(t)!==1&&Lc===St.requestAnimationFrame||((Lc=St.requestAnimationFrame)||qh)(Wh)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),Li=yt=null},St.__c=function(e,t){t.some(function(n){try{n.__h.some(mr),n.__h=n.__h.filter(function(s){return!s.__||Fi(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],St.__e(s,n.__v)}}),Wc&&Wc(e,t)},St.unmount=function(e){qc&&qc(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{mr(s)}catch(o){t=o}}),n.__H=void 0,t&&St.__e(t,n.__v))};var Uc=typeof requestAnimationFrame=="function";function qh(e){var t,n=function(){clearTimeout(s),Uc&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);Uc&&(t=requestAnimationFrame(n))}function mr(e){var t=yt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
yt=t}function Fi(e){var t=yt;e.__c=e.__(),yt=t}function Jc(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function Gc(e,t){return typeof t==
"function"?t(e):t}var a=Pc.bind(Oi);var ka=!1;try{ka=localStorage.getItem("zone")==="utc"}catch{}var An=()=>ka;function Rs(e){ka=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var Kc=0,ct=()=>Date.now()+Kc;function Vc(e){Kc=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var Ni=new Map,As=e=>{let t=ka?"UTC":void 0;return Ni.
has(ka)||Ni.set(ka,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries(Ni.get(ka).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},Ms=(e=ct())=>As(e).timeZoneName,Nn=e=>{let t=As(
e);return`${t.year}-${t.month}-${t.day}`},cn=e=>{let t=As(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},Wt=e=>`${Nn(e)} ${cn(e)}`,Hh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],Wi=e=>{let t=As(e);return`${Number(t.day)} ${Hh[t.month-1]}`},gr=e=>{let t=As(e);return`${Nn(e)===
Nn(ct())?"":Wi(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},qi=e=>`${Wi(e)} ${cn(e)}`;function Hi(e,t=0){let[n,s,o]=e.split("-").map(Number);return(ka?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function Yc(e,t){let n="";return e.map(s=>{let o=As(s*1e3),r=Wi(s*1e3),i=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:`${o.hour}:${o.minute}:${o.second}`;if(!i)return r;let d=r===n?i:`${i}
${r}`;return n=r,d})}var Ne={user:"",role:"",csrf:"",ways:[],absent:""},Zc={viewer:1,operator:2,admin:3},He=e=>(Zc[Ne.role]??0)>=Zc[e],Gi=()=>{},Qc=e=>{Gi=e};async function eu(e,t,n){
let s={Accept:"application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=Ne.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===
void 0?void 0:JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().
catch(()=>({}));if(o.status===401&&!t.startsWith("/api/login")&&Gi(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),
{lost:o.status===503,gone:o.status===404,refused:o.status>=400&&o.status<500});return r}var ra=e=>eu("GET",e),Pe=(e,t={})=>eu("POST",e,t);async function Os(){let e=await ra(
"/api/session");return(e.absent!=="unread"||!Ne.user)&&Object.assign(Ne,{user:"",role:"",csrf:"",absent:""},e),Ne}function Ce(e){let t=new URLSearchParams;for(let[
s,o]of Object.entries(e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Gn=null,Xc=!1;function Ui(e){let t=n=>e.includes(n)||e.includes(
"job *")&&n.startsWith("job ");for(let n of _a.values())(e.includes("*")||[...n.topics].some(t))&&n.changed(e.includes("letters")&&n.topics.has("letters"))}var oa={
state:null,at:Date.now()},Uh=3500,br=()=>({state:oa.state,heard:oa.at,cut:Date.now()-oa.at>Uh});function Bi(){Gn||document.hidden||!Ne.user||(oa.at=Date.now(),Gn=
new EventSource("/api/live"),Xc&&(Gn.onopen=()=>Ui(["*"])),Xc=!0,Gn.onmessage=e=>Ui(e.data.split(",")),Gn.addEventListener("health",e=>{let t=s=>(s?.services??[]).
filter(o=>o.since).map(o=>o.name).join(),n=oa.state;Object.assign(oa,{state:JSON.parse(e.data),at:Date.now()}),oa.state.at.startsWith("0001")||Vc(Date.parse(oa.
state.at)),n&&t(n)!==t(oa.state)&&Ui(["*"])}),Gn.onerror=()=>{Gn?.readyState===EventSource.CLOSED&&(Gn=null,setTimeout(async()=>{await Os().then(e=>e.user||e.absent===
"unread",()=>!0)?Bi():Gi()},2e3))})}function xo(){Gn?.close(),Gn=null}function Ki(){document.addEventListener("visibilitychange",()=>document.hidden?xo():Bi()),
window.addEventListener("pagehide",xo),Bi()}var _a=new Map,Bh=1500,Jh=500,Ji=class{state={data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){
this.path=t,this.load()}async load(){if(this.busy){this.again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state=
{data:await ra(this.path),error:"",lost:!1}}catch(t){this.state={data:t.gone?null:this.state.data,error:t.message,lost:t.lost,refused:t.refused}}this.busy=!1;for(let t of this.
drawn)t();this.again&&this.changed()}changed(t=!1){if(this.busy){this.again=!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>_a.get(this.path)===this&&
this.load(),Math.max(0,this.sent+(t?Jh:Bh)-Date.now()))}};function $e(e,t=[]){let[,n]=I(0),s=Mt(null),o=e?_a.get(e)??new Ji(e):null;o&&(_a.set(e,o),t.forEach(f=>o.
topics.add(f))),we(()=>{if(!o)return;let f=()=>n(y=>y+1);return o.drawn.add(f),_a.has(e)||(_a.set(e,o),o.changed()),(o.state.data||o.state.error)&&f(),()=>{o.drawn.
delete(f),o.drawn.size===0&&_a.get(e)===o&&_a.delete(e)}},[o]);let{data:r,error:i,lost:d,refused:g}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=
r),{data:r,stale:s.current,error:i,lost:d,refused:g,reload:()=>o?.load()}}var Vi=new Intl.NumberFormat("en",{maximumFractionDigits:0}),Gh=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),tu=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),Kh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),j=e=>Vi.format(e??0),vr=e=>tu.format(e??0),ko=e=>Object.entries(e).map(
([t,n])=>`${vr(n)} ${t}`.trim()).join(", ")||"nothing",Kn=e=>e<1e4?Vi.format(e):Gh.format(e),un=e=>Number.isInteger(e)?Vi.format(e):Math.abs(e)>=100?tu.format(e):
Kh.format(e),L=(e,t,n=t+"s")=>`${j(e)} ${e===1?t:n}`;function Es(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?
e.toFixed(1):Math.round(e)} ${t[n]}`}function pn(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?
`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.floor(e/86400)} d ${Math.floor(e%86400/3600)}\
 h`}function _o(e,t=ct()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.floor(s)} s`;else if(s<3600)o=`${Math.floor(
s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=L(Math.floor(s/86400),"day");else return Nn(e);return n<0?`in ${o}`:`${o} ago`}var Wn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
hn={overview:Wn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Wn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
feeds:Wn(a`<path d="M12 3v10M8 9l4 4 4-4M4 15v5h16v-5" />`),jobs:Wn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Wn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),
campaigns:Wn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),rules:Wn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),
workers:Wn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),audit:Wn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Wn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Wn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var jo=[["h","","Overview"],["a","audiences","Audiences"],["f","feeds","Feeds"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],
["r","rules","Rules"],["u","audit","Audit"]];function Mn(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).join(
"/"),names:e.split("/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function au(){let[e,t]=I(Mn());return we(()=>{
let n=()=>t(Mn());return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function wr(e){let t=Mt(e);t.current=e,we(
()=>{let n=()=>t.current();return window.addEventListener("popstate",n),()=>window.removeEventListener("popstate",n)},[])}function ne(...e){return"#/"+e.map(encodeURIComponent).
join("/")}function Qe(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:Mn().params},s=new URLSearchParams;for(let[d,g]of Object.
entries({...n,...e}))g&&s.set(d,g);let o=s.toString(),r="#"+t+(o&&"?"+o),i=["text","match"].find(d=>d in e)??"";r!==location.hash&&(i&&history.state?.typed===i?
history.replaceState(history.state,"",r):history.pushState({typed:i},"",r),window.dispatchEvent(new Event("hashchange")))}history.scrollRestoration="manual";var Yi=0,
ia=null;window.addEventListener("scroll",()=>{clearTimeout(Yi),ia||(Yi=setTimeout(()=>history.replaceState({...history.state,y:window.scrollY},""),150))},{passive:!0});
var nu=["wheel","touchstart","pointerdown","keydown"],su=()=>{};function ou(){let e=ia!==null;return su(),e}function ru(e,t){ia?.();let n=!t;su=()=>{n=!0,ia&&s()};
let s=()=>{n&&(window.scrollTo(0,e),window.scrollY>=e-1&&ia?.())},o=new ResizeObserver(s),r=setTimeout(()=>ia?.(),5e3),i=()=>{ia=null,o.disconnect(),clearTimeout(
r),nu.forEach(d=>window.removeEventListener(d,i))};ia=i,nu.forEach(d=>window.addEventListener(d,i,{passive:!0})),o.observe(document.body)}var iu=Mn().path;window.
addEventListener("hashchange",()=>{iu=Mn().path});window.addEventListener("popstate",e=>{clearTimeout(Yi),ia?.(),e.state?.y>0&&ru(e.state.y,Mn().path!==iu)});history.
state?.y>0&&ru(history.state.y);var Vh=/^[\w\-./,:=@%+]+$/,Zi=e=>Vh.test(e)?e:`'${e.replaceAll("'","'\\''")}'`;function yr({seqs:e,replay:t,through:n,...s}){if(!t)return e?e.join(" "):Object.entries(
s).filter(([,o])=>o).map(([o,r])=>`--${o} ${Zi(String(r))}`).join(" ")}var Yh=["segment","campaign","advertiser"];function Xi(e,t={},{force:n,rate:s,reason:o}={}){
let r=yr(e);if(r===void 0)return[];let i=o?` --reason ${Zi(o)}`:"",d=`${n?" --force":""}${s?` --rate ${s}/s`:""}${i}`,g=Object.entries(t);if(!g.length)return[`u\
sher dead replay ${r}${d}`];let f=`usher dead edit ${r}${g.map(([A,b])=>` --set ${Zi(`${A}=${b}`)}`).join("")}${i}`;return e.seqs||!e.id&&g.some(([A])=>Yh.includes(
A))?[f,`usher dead replay SEQ…${d}`]:[`${f} && usher dead replay ${r}${d}`]}var lu=(e,t)=>[...t.map(n=>Object.fromEntries(n.map(s=>[s.field,s.value]))),{}].flatMap(
n=>Xi(e,n));var ja={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
title:"The export is missing",todo:"Put the export in its place and replay, or set the right file with Fix and replay.",then:"Then replay; if its name is wrong,\
 set the right file with Fix and replay."},source_refused:{title:"The export may not be read",todo:"Move the export to a place that is allowed, and set its new \
place with Fix and replay.",then:"Then replay, or set the new place with Fix and replay."},source_broken:{title:"The export cannot be read",todo:"Have the expor\
t written again and replay, or say with Fix and replay how it is written.",then:"Then replay, or say with Fix and replay how it is written."},unauthorized:{title:"\
The platform refuses the login",todo:"Have the user name or password in usher's configuration corrected, then replay.",then:"Then replay."},forbidden:{title:"Th\
e platform forbids it",todo:"Have usher's login linked to the advertiser on the platform, then replay.",then:"Then replay."},not_found:{title:"The platform does\
 not know the target",todo:"Create the target on the platform and replay, or set the right one with Fix and replay.",then:"Then replay, or set the right one wit\
h Fix and replay."},refused:{title:"The platform refuses the job",todo:"Read what the platform answered, and correct the job with Fix and replay.",then:"Then re\
play, or correct the job with Fix and replay."},shrink:{title:"The audience would shrink too much",todo:"If the smaller export is right, allow it with Fix and r\
eplay. Otherwise have it written again, and replay.",then:"If the smaller export is right, allow it with Fix and replay.",field:"force",value:"true"},changed:{title:"\
The export is not as it was",todo:"If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.",then:"I\
f the export is right, accept its differences with Fix and replay.",field:"acceptChange",value:"true"},ledger_broken:{title:"usher's list of the ids is damaged",
todo:"Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.",then:"Then replay."},too_many_rejects:{title:"Too few rows have a device \
id",todo:"Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.",then:"Then correct the job, or a\
llow more, with Fix and replay.",field:"maxRejectPercent"},exhausted:{title:"All attempts have failed",todo:"Remove the cause, then replay.",then:"Then replay."},
poison:{title:"A worker crashed on it again and again",todo:"Report it with the worker's log. Replay once it is repaired.",then:"Replay once it is repaired."},deadline:{
title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},qt=e=>ja[e]?.
title??e,Co={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},Zh=e=>Co[e]?.[0]??e,Vn=(e,t)=>(/\(removed\)/.test(e)?"":t?
`${t} (${e.replace(/^segment /,"")})`:e??"").replace(/^target /,"devices of ").replace(/^campaign /,""),kr=(e,t,n)=>Co[e]&&/\S \S/.test(t??"")&&Vn(t)?Co[e][1](Vn(
t,n)):Zh(e),We={queued:"Jobs that no worker has begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last\
 attempt failed, and whose next attempt has a time.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not\
 their dead letters were discarded since.",cancelled:"Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs th\
at wait for a person: neither replayed nor discarded.",rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane t\
hat run, or wait for their next attempt.",waiting:"Jobs of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the expo\
rt, whatever became of them.",new:"Accepted ids that were no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has a\
ccepted; in a dry run, those that would be sent.",ids:"Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last\
 job.",change:"Ids that the last job which changed the audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the \
rows read.",open:"Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative w\
ould have been paused.",pauses:"Creatives that the rules would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and imp\
ressions of the days on which a creative would have been paused."},Qi={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},Xh={released:"\
rules may change it"},Vt=e=>Qi[e]??Xh[e]??e,Qh={zero_id:"zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder\
, such as null",macro:"macro that was not filled in",header:"repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known \
shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},la=e=>Qh[e]??e.replaceAll(
"_"," "),xn={budget:"daily budget",bid:"maximum bid"},So={segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File",
"source.column":"Column of ids","source.typeColumn":"Column of types","source.only":"Only rows with","source.disregard":"Columns that decide nothing",input:"For\
m of the ids","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","source.sheet":"Sheet","source.skip":"Lines to skip","source.\
quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete export","source.compression":"Compression","source.cut":"\
Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut off","source.anyVersion":"UUIDs of any version",reason:"\
Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",force:"Although it removes more than is allowed",dryRun:"\
Sends nothing",acceptChange:"Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals allowed, in percent",maxRejectPercent:"\
Rejected rows allowed, in percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows allowed, in percent"},da=e=>So[e]??e,el=e=>e.
replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>la(n)).replace(/\bwithheld\.(\S+?)(?=:?(?:\s|$))/g,"left \
out by $1").replace(/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,(t,n,s)=>So[s.replaceAll("/",".")]?`${n}“${So[s.replaceAll("/",".")]}”`:t),ef={act:"acts",approve:"\
asks first",notify:"notifies",observe:"only records"},Is=e=>ef[e]??e,xr=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b|"(force|acceptChange)": true/,
tf=/([;.:] )/,du=e=>/\busher (?!dead edit)[a-z]/.test(e);function _r(e){if(!xr.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>xr.test(r)?"":o).replace(
/, see [^,;]*/g,o=>xr.test(o)?"":o).split(tf),n="",s=!1;for(let o=0;o<t.length;o+=2)s=xr.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(
/^(or|and|then) /,"").replace(/[;:.\s]+$/,"")}var nf=new RegExp(Object.keys(So).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)\
?(?<!job\\.)\\b${e.replace(".","\\.")}\\b`).join("|"),"g");function cu(e){let t=[],n=0;for(let s of e.matchAll(nf)){let o=s[0].replace(/^--(set )?/,"");t.push(e.
slice(n,s.index),{name:o,title:So[o]}),n=s.index+s[0].length}return[...t,e.slice(n)]}var Ps={observe:"mode: observe",disabled:"actions of the configuration",kept:"\
a person",hands_off:"a change that somebody else made",pending:"the platform's approval",pause_wanted:"another rule",decrease_wanted:"another rule",bound:"its m\
in or max",cooldown:"cooldown",flips:"max_flips_per_day",keep_active:"keep_active",cap:"its limits",stop:"the stop switch"},jr={kept:"kept by people",hands_off:"\
left alone because others paused or changed them",pending:"not approved by the platform",pause_wanted:"not resumed because of another rule",decrease_wanted:"not\
 increased because of another rule",bound:"at min or max"},uu=["cap","approval"],Ca=e=>e.action==="held"&&uu.includes(e.guard),Ls=e=>e.approvals?.length&&e.state!==
"approved"?e.approvals.at(-1).waiting.length+(e.leftOut?.length??0):e.guards?uu.reduce((t,n)=>t+(e.guards[n]??0),0):e.counts?.held??0;var pu=!0;function Je({title:e,sub:t,crumb:n,acts:s,children:o}){let r=Mt(null);return we(()=>{document.title=`${e} · usher`},[e]),we(()=>{let i=ou();pu||(r.current?.
focus({preventScroll:!0}),i||window.scrollTo(0,0)),pu=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function te({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var af={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},nl=e=>af[e]??"",Va=({
is:e})=>a`<span class="badge ${nl(e)}" title=${Qi[e]?`the platform says ${e}`:We[e]}>${Vt(e)}</span>`,qn=({kind:e,target:t,name:n})=>a`<span title=${e}>${kr(e,t,
n)}</span>`,tl=new Set;setInterval(()=>tl.forEach(e=>e(ct())),5e3);function Fs(){let[e,t]=I(ct());return we(()=>(tl.add(t),()=>tl.delete(t)),[]),Math.max(e,ct()-
5e3)}function X({at:e}){return Fs(),e?a`<time class="nowrap" datetime=${e} title=${Wt(e)}>${_o(e)}</time>`:a`<span class="faint none">–</span>`}function Ya({at:e}){
let t=Fs();return a`<time datetime=${e} title=${Wt(e)}>since <span class="nowrap">${gr(e)}</span>, <span class="nowrap">${_o(e,t).replace(" ago","")}</span></time>`}
var xt=({text:e})=>a`<span title=${el(e)===e?void 0:e}><${Ot} text=${el(e)} /></span>`,zs=({l:e})=>e&&a`<div class="looking" role="status">
  ${e.error?a`<span class="bad-ink">Older jobs cannot be read: ${e.error}</span>`:a`<progress max=${e.of} value=${e.looked} aria-label="Jobs looked through"></progress><span>Looked through ${j(
e.looked)} of ${j(e.of)} jobs so far</span>`}</div>`,Ns=(e,t)=>t?e?j(e)+"+":"…":j(e),Te=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,kn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
sf=({text:e})=>cu(e).map(t=>t.title?a`<span title=${t.name}>“${t.title}”</span>`:t),of=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:a`<${sf} text=${t} />`),
Ot=({text:e})=>typeof e=="string"?a`<${of} text=${_r(e)||e} />`:e;function Hn({text:e,of:t,onFix:n,letters:s,remedies:o=[]}){let r=ja[t],i=typeof e=="string"?_r(
e):e,d=r?.then==="Then replay."?/\breplay\b/i.test(i):/\bdiscard\b/.test(i),g=r&&!d&&(i?r.then:r.todo),f=typeof e=="string"&&i!==e&&(!r||du(e))&&e,y=s?lu(s,o):[];
return!i&&!g&&!f?null:a`<div class="hint">${i&&a`<${Ot} text=${i} />`}${i&&g&&(/[.!?]$/.test(i)?" ":". ")}${g&&a`<${rf} text=${g} onFix=${n} />`}
    ${(f||y.length>0)&&a`<${Za}>${f&&a`<span>${f.split("`").map((A,b)=>b%2?a`<code>${A}</code>`:A)}</span>`}${y.map(A=>a`<code key=${A}>${A}</code>`)}<//>`}</div>`}
var Za=({children:e})=>a`<details class="small terminal"><summary>In the terminal</summary>${e}</details>`,Sa=({children:e})=>a`<${Za}><code>${e}</code><//>`;function rf({
text:e,onFix:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<button class="bare lane" onClick=${t}>Fix and replay</button>${s.join("Fi\
x and replay")}`}function fn({says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${Hn} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function de({level:e="",says:t,hint:n,of:s,onFix:o,letters:r,remedies:i,where:d,children:g}){
let f=a`<div><div class="says"><${Ot} text=${t} /></div>${d?n&&a`<div class="hint"><${Ot} text=${n} /></div>`:a`<${Hn} text=${n} of=${s} onFix=${o} letters=${r} remedies=${i} />`}${g}</div>`;
return d?a`<a class="callout ${e}" href=${d}>${f}</a>`:a`<div class="callout ${e}">${f}</div>`}function ot({result:e,children:t}){return e.data?a`${e.error&&!e.
lost&&a`<${fn} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${fn} says=${e.error} retry=${e.reload} />`:a`<div class="card"><${kn} /></div>`}var Tt=({
name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:i})=>{let d=a`<div class="name">${e}</div><div class="value ${r?"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&
a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${i}>${d}</a>`:a`<div class="figure" title=${i}>${d}</div>`};function On({value:e,
onText:t,label:n}){let[s,o]=I(e??""),r=Mt(0);return we(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${i=>{o(i.target.
value),clearTimeout(r.current);let d=i.target.value;r.current=setTimeout(()=>t(d),250)}} />`}var Yn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,Ta=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,i,d])=>a`<button title=${d} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${i!==void 0&&a` <small>${typeof i=="number"?j(i):i}</small>`}</button>`)}</div>`;
function Ge({title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:i,ready:d=!0,children:g}){let f=Mt(null),[y,A]=I(!1),[b,T]=I("");return wr(i),we(()=>{
let Z=document.activeElement,ue=f.current;return ue.showModal(),(ue.querySelector("[data-first]")??ue.querySelector("input,textarea,select"))?.focus(),()=>{ue.close(),
Z?.focus?.()}},[]),a`<dialog ref=${f} class=${o?"wide":""} aria-label=${e} onCancel=${Z=>{Z.preventDefault(),i()}}
      onMouseDown=${Z=>Z.target===f.current&&i()}>
    <form onSubmit=${async Z=>{if(Z.preventDefault(),!(y||!d)){A(!0),T("");try{await r(),i()}catch(ue){T(ue.message),A(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${g}${b&&a`<div class="callout bad" role="alert"><${Hn} text=${b} /></div>`}</div>
      <footer>
        <button type="button" onClick=${i}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${y||!d}>${y?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var Ie=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,hu=()=>{},Ke=(e,t)=>hu({text:_r(
e)||e,bad:t,key:Math.random()});function fu(){let[e,t]=I([]);return hu=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var mu=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},al=e=>{try{return localStorage.getItem(e)}catch{return null}},$u="(prefers-color-scheme: dark)",Ws=()=>(document.
documentElement.dataset.theme??(matchMedia($u).matches?"dark":"light"))==="dark";function Sr(e){let t=matchMedia($u);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function gu(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function qs(){let e=Ws()?"light":"dark";gu(e),mu("theme",e)}var Cr=()=>document.documentElement.dataset.rows==="compa\
ct";function bu(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function Tr(){bu(!Cr()),mu("rows",Cr()?"compac\
t":"roomy")}function vu(){al("theme")&&gu(al("theme")),bu(al("rows")==="compact")}var lf=12,Da=e=>()=>{location.hash=e},df=e=>[...jo.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:Da("#/"+n)})),{name:"Backtest of rules",kind:"page",act:Da(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:Da("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:Da("#/audiences?only=problem\
s")},{name:Ws()?"Light colours":"Dark colours",kind:"setting",key:"t",act:qs},{name:An()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>Rs(
!An())},{name:Cr()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:Tr},{name:"Keys",kind:"help",key:"?",act:e}];function wu({onClose:e,onHelp:t}){let n=Mt(
null),[s,o]=I(""),[r,i]=I(0),[d,g]=I([]);wr(e),we(()=>{let b=document.activeElement;return n.current.showModal(),ra("/api/audiences").then(({audiences:T})=>g(N=>[
...N,...T.map(Z=>({name:Z.target,kind:"audience",act:Da(ne("audiences",Z.target))}))]),()=>{}),ra("/api/campaigns").then(({campaigns:T})=>g(N=>[...N,...T.map(Z=>({
name:Z.code,kind:"campaign",act:Da(ne("campaigns",Z.code))}))]),()=>{}),()=>b?.isConnected&&b.focus?.({preventScroll:!0})},[]);let f=nn(()=>{let b=s.toLowerCase().
split(/\s+/).filter(Boolean),T=[...df(t),...d].filter(N=>b.every(Z=>`${N.name} ${N.kind}`.toLowerCase().includes(Z))).slice(0,lf);return/^\S+$/.test(s.trim())&&
T.push({name:`Open the job ${s.trim()}`,kind:"job",act:Da(ne("jobs",s.trim()))}),s.trim()&&T.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:Da(
"#/jobs?text="+encodeURIComponent(s.trim()))}),T},[s,d]),y=b=>{e(),b?.act()},A=b=>{let T={ArrowDown:1,ArrowUp:-1}[b.key];T&&(b.preventDefault(),i((r+T+f.length)%
f.length)),b.key==="Enter"&&(b.preventDefault(),y(f[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${b=>{b.preventDefault(),e()}} onMouseDown=${b=>b.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${b=>{o(b.target.value),i(0)}} onKeyDown=${A} />
    <ul role="listbox" id="found" aria-label="Found">${f.map((b,T)=>a`<li role="option" id=${`found-${T}`} aria-selected=${T===r} onMouseMove=${()=>i(T)} onClick=${()=>y(
b)}><span>${b.name}</span><span class="faint small">${b.key?a`<kbd>${b.key}</kbd>`:b.kind}</span></li>`)}</ul>
  </dialog>`}var cf=/Mac|iPhone|iPad/.test(navigator.platform),uf=[[cf?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...jo.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],pf=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),hf=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function yu(e){
let t=hf();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var ff=()=>document.querySelector("main .at input[type=checkbox]")?.click(),mf=()=>document.querySelector("main input[type=search]")?.focus();function xu(){let[
e,t]=I("");we(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||pf(r)||document.querySelector("dialog[open]"))return;let i=Date.now()-s<1500&&jo.find(([g])=>g===r.key);if(s=0,i){location.hash="#/"+i[1];return}let d={
g:()=>{s=Date.now()},"/":mf,"?":()=>t("help"),j:()=>yu(1),k:()=>yu(-1),x:ff,z:Tr,t:qs,d:()=>Rs(!An())}[r.key];d&&(r.preventDefault(),d())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${wu} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ge} title="Keys" onClose=${n}><dl class="facts keys">${uf.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function _u(e){let[t,n]=I(Date.now());we(()=>{let N=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(N)},[]);let{state:s,heard:o,cut:r}=br(),i=(s?.services??
[]).filter(N=>N.since),[d="",g]=e,f=d===""||d==="jobs"&&!g,y=d==="campaigns"?["NATS","Platform"]:["NATS"],A=i.filter(N=>y.includes(N.name)),b=s&&new Date(f&&!s.
figures.startsWith("0001")?s.figures:A.length?A[0].since:s.at),T=b?(new Date(s.at)-b+t-o)/1e3:0;return{state:s,lost:i,cut:r,heard:o,asOf:b,age:Math.max(0,T),stale:r||
A.length>0,well:!r&&i.length===0}}function ju({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:i}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let d=t.some(f=>f.name==="NATS"),g=f=>n||d&&f.name==="NATS writes"?"":f.since?"off":"on";return a`<div class="status">
      ${e.services.map(f=>a`<span key=${f.name} class="service ${g(f)}"><i></i>${f.name}<span class="sr">${{on:" works",off:" is lost"}[g(f)]??" unknown"}</span></span>`)}
      <span class="nowrap">${L(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest+Math.max(0,Date.now()-s)/1e3)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&Wt(o)}>as of ${i?cn(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${ku} key="page" says=${`This page has no connection to usher since ${cn(s)}; figures are from ${cn(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(f=>a`<${ku} key=${f.name} hint=${f.hint} why=${f.why}
        says=${`${f.says} since ${cn(f.since)}${i?`; figures are from ${cn(o)}`:""}.`} />`)}
    </div>`}var ku=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${Hn} text=${n} />${t&&a`<div class="faint small"><${xt} text=${t} /></div>`}</div></div>`;function Cu({why:e,onIn:t}){let[n,s]=I(""),[o,r]=I(!1),[i,d]=I(""),[g,f]=I(""),y=Ne.ways??[],A=async(T,N)=>{r(!0),s("");try{await Pe(T,N),await t()}catch(Z){s(Z.
message),r(!1)}},b=()=>{let{names:T}=Mn();return T[0]!=="login"||!T[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),A("/\
api/login/link",{Token:T[1]}),!0)};return we(()=>(document.title="Log in · usher",window.addEventListener("hashchange",b),!b()&&y.includes("proxy")&&A("/api/lo\
gin/proxy",{}),Ne.ways?.length||Os().catch(T=>s(T.message)),()=>window.removeEventListener("hashchange",b)),[]),we(()=>{if(Ne.absent!=="unread")return;let T=setInterval(
()=>t().catch(()=>{}),2e3);return()=>clearInterval(T)},[e]),a`<div class="login"><div class="box">
    <div class="brand">${hn.brand}usher</div>
    <p class="soft" role="status">${e??"Log in to see what usher does."}</p>
    ${y.includes("password")&&a`<form onSubmit=${T=>{T.preventDefault(),A("/api/login",{User:i,Password:g})}}>
      <${Ie} name="Name"><input type="text" autocomplete="username" required autofocus value=${i} onInput=${T=>d(T.target.value)} /><//>
      <${Ie} name="Password"><input type="password" autocomplete="current-password" required value=${g} onInput=${T=>f(T.target.value)} /><//>
      <button class="primary" disabled=${o}>${o?"Logging in …":"Log in"}</button>
    </form>`}
    ${y.includes("link")&&a`<p class="soft">${o?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${y.includes("proxy")&&a`<button disabled=${o} onClick=${()=>A("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${n&&a`<div class="callout bad" role="alert"><div>${n}</div></div>`}
  </div></div>`}function ca(e){let t=e.consequence;return t?`${e.dryRun?"would be ":""}+${j(t.added)}, −${j(t.removed)}, ${e.dryRun?"then":"now"} ${j(t.now)}`:e.new===void 0?
"":`+${j(e.new)} of ${j(e.accepted)} accepted`}var $f=e=>Object.entries(e??{}).sort((t,n)=>n[1]-t[1]).map(([t,n])=>`${j(n)} ${la(t)}`).join(", ");function Hs({r:e}){
let t=ca(e),n=$f(e.rejected);return a`${t&&a`<span class=${e.consequence?.large?"bad-ink":""}>${t}</span>`}${t&&n&&"; "}${n&&a`rejected: ${n}`}`}var gf=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",i="left",d="right",g="#000",f=g+"0",y="mousemove",A="mousedown",b="mou\
seup",T="mouseenter",N="mouseleave",Z="dblclick",ue="change",Se="dppxchange",ae="--",ut=typeof window<"u",kt=ut?document:null,gt=ut?window:null,an=ut?navigator:
null,q,ht;function pt(l,u){if(u!=null){let $=l.classList;!$.contains(u)&&$.add(u)}}function ft(l,u){let $=l.classList;$.contains(u)&&$.remove(u)}function Oe(l,u,$){
l.style[u]=$+"px"}function It(l,u,$,p){let v=kt.createElement(l);return u!=null&&pt(v,u),$?.insertBefore(v,p),v}function Yt(l,u){return It("div",l,u)}let Io=new WeakMap;
function _n(l,u,$,p,v){let _="translate("+u+"px,"+$+"px)";_!=Io.get(l)&&(l.style.transform=_,Io.set(l,_),0>u||0>$||u>p||$>v?pt(l,e):ft(l,e))}let so=new WeakMap;
function Po(l,u,$){let p=u+$;p!=so.get(l)&&(so.set(l,p),l.style.background=u,l.style.borderColor=$)}let oo=new WeakMap;function as(l,u,$,p){let v=u+""+$;v!=oo.get(
l)&&(oo.set(l,v),l.style.height=$+"px",l.style.width=u+"px",l.style.marginLeft=p?-u/2+"px":0,l.style.marginTop=p?-$/2+"px":0)}let se={passive:!0},Ht={...se,capture:!0};
function mn(l,u,$,p){u.addEventListener(l,$,p?Ht:se)}function ss(l,u,$){u.removeEventListener(l,$,se)}function En(l,u,$,p){let v;$=$||0;let _=2147483647>=(p=p||
u.length-1);for(;p-$>1;)v=_?$+p>>1:gn(($+p)/2),l>u[v]?$=v:p=v;return l-u[$]>u[p]-l?p:$}function Ml(l){return(u,$,p)=>{let v=-1,_=-1;for(let x=$;p>=x;x++)if(l(u[x])){
v=x;break}for(let x=p;x>=$;x--)if(l(u[x])){_=x;break}return[v,_]}}ut&&(function l(){let u=devicePixelRatio;q!=u&&(q=u,ht&&ss(ue,ht,l),ht=matchMedia(`(min-resolu\
tion: ${q-.001}dppx) and (max-resolution: ${q+.001}dppx)`),mn(ue,ht,l),gt.dispatchEvent(new CustomEvent(Se)))})();let Ol=l=>l!=null,El=l=>l!=null&&l>0,Lo=Ml(Ol),
Ip=Ml(El);function Fo(l,u,$,p){let v=Ll(l),_=Ll(u);l==u&&(v==-1?(l*=$,u/=$):(l/=$,u*=$));let x=$==10?Xn:Fl,D=_==1?jn:gn,M=(v==1?gn:jn)(x(Dt(l))),R=D(x(Dt(u))),E=os(
$,M),C=os($,R);return $==10&&(0>M&&(E=Ye(E,-M)),0>R&&(C=Ye(C,-R))),p||$==2?(l=E*v,u=C*_):(l=Bl(l,E),u=Wo(u,C)),[l,u]}function Nr(l,u,$,p){let v=Fo(l,u,$,p);return l==
0&&(v[0]=0),u==0&&(v[1]=0),v}let Wr=.1,Il={mode:3,pad:Wr},ro={pad:0,soft:null,mode:0},Pp={min:ro,max:ro};function zo(l,u,$,p){return qo($)?Pl(l,u,$):(ro.pad=$,ro.
soft=p?0:null,ro.mode=p?3:0,Pl(l,u,Pp))}function Fe(l,u){return l??u}function Pl(l,u,$){let p=$.min,v=$.max,_=Fe(p.pad,0),x=Fe(v.pad,0),D=Fe(p.hard,-Ve),M=Fe(v.
hard,Ve),R=Fe(p.soft,Ve),E=Fe(v.soft,-Ve),C=Fe(p.mode,0),H=Fe(v.mode,0),Q=u-l,J=Xn(Q),Y=sn(Dt(l),Dt(u)),ye=Xn(Y),pe=Dt(ye-J);(1e-24>Q||pe>10)&&(Q=0,l!=0&&u!=0||
(Q=1e-24,C==2&&R!=Ve&&(_=0),H==2&&E!=-Ve&&(x=0)));let U=Q||Y||1e3,be=Xn(U),K=os(10,gn(be)),oe=Ye(Bl(l-U*(Q==0?l==0?.1:1:_),K/10),24),G=R>l||C!=1&&(C!=3||oe>R)&&
(C!=2||R>oe)?Ve:R,ke=sn(D,G>oe&&l>=G?G:In(G,oe)),_e=Ye(Wo(u+U*(Q==0?u==0?.1:1:x),K/10),24),De=u>E||H!=1&&(H!=3||E>_e)&&(H!=2||_e>E)?-Ve:E,Ae=In(M,_e>De&&De>=u?De:
sn(De,_e));return ke==Ae&&ke==0&&(Ae=100),[ke,Ae]}let Lp=new Intl.NumberFormat(ut?an.language:"en-US"),qr=l=>Lp.format(l),$n=Math,No=$n.PI,Dt=$n.abs,gn=$n.floor,
Rt=$n.round,jn=$n.ceil,In=$n.min,sn=$n.max,os=$n.pow,Ll=$n.sign,Xn=$n.log10,Fl=$n.log2,Hr=(l,u=1)=>$n.asinh(l/u),Ve=1/0;function zl(l){return 1+(0|Xn((l^l>>31)-
(l>>31)))}function Ur(l,u,$){return In(sn(l,u),$)}function Nl(l){return typeof l=="function"}function Ee(l){return Nl(l)?l:()=>l}let Wl=l=>l,ql=(l,u)=>u,Fp=()=>null,
Hl=()=>!0,Ul=(l,u)=>l==u,zp=/\.\d*?(?=9{6,}|0{6,})/gm,Ia=l=>{if(Gl(l)||ua.has(l))return l;let u=""+l,$=u.match(zp);if($==null)return l;let p=$[0].length-1;if(u.
indexOf("e-")!=-1){let[v,_]=u.split("e");return+`${Ia(v)}e${_}`}return Ye(l,p)};function Pa(l,u){return Ia(Ye(Ia(l/u))*u)}function Wo(l,u){return Ia(jn(Ia(l/u))*
u)}function Bl(l,u){return Ia(gn(Ia(l/u))*u)}function Ye(l,u=0){if(Gl(l))return l;let $=10**u;return Rt(l*$*(1+Number.EPSILON))/$}let ua=new Map;function Jl(l){
return((""+l).split(".")[1]||"").length}function io(l,u,$,p){let v=[],_=p.map(Jl);for(let x=u;$>x;x++){let D=Dt(x),M=Ye(os(l,x),D);for(let R=0;p.length>R;R++){let E=l==
10?+`${p[R]}e${x}`:p[R]*M,C=(0>x?D:0)+(_[R]>x?_[R]:0),H=l==10?E:Ye(E,C);v.push(H),ua.set(H,C)}}return v}let lo={},Br=[],rs=[null,null],pa=Array.isArray,Gl=Number.
isInteger;function Kl(l){return typeof l=="string"}function qo(l){let u=!1;if(l!=null){let $=l.constructor;u=$==null||$==Object}return u}function Np(l){return l!=
null&&typeof l=="object"}let Wp=Object.getPrototypeOf(Uint8Array),Vl="__proto__";function is(l,u=qo){let $;if(pa(l)){let p=l.find((v=>v!=null));if(pa(p)||u(p)){
$=Array(l.length);for(let v=0;l.length>v;v++)$[v]=is(l[v],u)}else $=l.slice()}else if(l instanceof Wp)$=l.slice();else if(u(l)){$={};for(let p in l)p!=Vl&&($[p]=
is(l[p],u))}else $=l;return $}function _t(l){let u=arguments;for(let $=1;u.length>$;$++){let p=u[$];for(let v in p)v!=Vl&&(qo(l[v])?_t(l[v],is(p[v])):l[v]=is(p[v]))}
return l}function qp(l,u,$){for(let p,v=0,_=-1;u.length>v;v++){let x=u[v];if(x>_){for(p=x-1;p>=0&&l[p]==null;)l[p--]=null;for(p=x+1;$>p&&l[p]==null;)l[_=p++]=null}}}
let Hp=typeof queueMicrotask>"u"?l=>Promise.resolve().then(l):queueMicrotask,Yl=["January","February","March","April","May","June","July","August","September","\
October","November","December"],Zl=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Xl(l){return l.slice(0,3)}let Up=Zl.map(Xl),
Bp=Yl.map(Xl),Jp={MMMM:Yl,MMM:Bp,WWWW:Zl,WWW:Up};function co(l){return(10>l?"0":"")+l}let Gp={YYYY:l=>l.getFullYear(),YY:l=>(l.getFullYear()+"").slice(2),MMMM:(l,u)=>u.
MMMM[l.getMonth()],MMM:(l,u)=>u.MMM[l.getMonth()],MM:l=>co(l.getMonth()+1),M:l=>l.getMonth()+1,DD:l=>co(l.getDate()),D:l=>l.getDate(),WWWW:(l,u)=>u.WWWW[l.getDay()],
WWW:(l,u)=>u.WWW[l.getDay()],HH:l=>co(l.getHours()),H:l=>l.getHours(),h:l=>{let u=l.getHours();return u==0?12:u>12?u-12:u},AA:l=>12>l.getHours()?"AM":"PM",aa:l=>12>
l.getHours()?"am":"pm",a:l=>12>l.getHours()?"a":"p",mm:l=>co(l.getMinutes()),m:l=>l.getMinutes(),ss:l=>co(l.getSeconds()),s:l=>l.getSeconds(),fff:l=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(l.getMilliseconds())};function Jr(l,u){u=u||Jp;let $,p=[],v=/\{([a-z]+)\}|[^{]+/gi;for(;$=v.exec(l);)p.push($[0][0]=="{"?Gp[$[1]]:
$[0]);return _=>{let x="";for(let D=0;p.length>D;D++)x+=typeof p[D]=="string"?p[D]:p[D](_,u);return x}}let Kp=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Ql=l=>l%1==0,Ho=[1,2,2.5,5],Vp=io(10,-32,0,Ho),ed=io(10,0,32,Ho),Yp=ed.filter(Ql),La=Vp.concat(ed),td="{YYYY}",nd=`
`+td,ad="{M}/{D}",uo=`
`+ad,Uo=uo+"/{YY}",sd="{aa}",ls="{h}:{mm}"+sd,od=`
`+ls,rd=":{ss}",Ue=null;function id(l){let u=1e3*l,$=60*u,p=60*$,v=24*p,_=30*v,x=365*v;return[(l==1?io(10,0,3,Ho).filter(Ql):io(10,-3,0,Ho)).concat([u,5*u,10*u,
15*u,30*u,$,5*$,10*$,15*$,30*$,p,2*p,3*p,4*p,6*p,8*p,12*p,v,2*v,3*v,4*v,5*v,6*v,7*v,8*v,9*v,10*v,15*v,_,2*_,3*_,4*_,6*_,x,2*x,5*x,10*x,25*x,50*x,100*x]),[[x,td,
Ue,Ue,Ue,Ue,Ue,Ue,1],[28*v,"{MMM}",nd,Ue,Ue,Ue,Ue,Ue,1],[v,ad,nd,Ue,Ue,Ue,Ue,Ue,1],[p,"{h}"+sd,Uo,Ue,uo,Ue,Ue,Ue,1],[$,ls,Uo,Ue,uo,Ue,Ue,Ue,1],[u,rd,Uo+" "+ls,Ue,
uo+" "+ls,Ue,od,Ue,1],[l,rd+".{fff}",Uo+" "+ls,Ue,uo+" "+ls,Ue,od,Ue,1]],function(D){return(M,R,E,C,H,Q)=>{let J=[],Y=H>=x,ye=H>=_&&x>H,pe=D(E),U=Ye(pe*l,3),be=Gr(
pe.getFullYear(),Y?0:pe.getMonth(),ye||Y?1:pe.getDate()),K=Ye(be*l,3);if(ye||Y){let oe=ye?H/_:0,G=Y?H/x:0,ke=U==K?U:Ye(Gr(be.getFullYear()+G,be.getMonth()+oe,1)*
l,3),_e=new Date(Rt(ke/l)),De=_e.getFullYear(),Ae=_e.getMonth();for(let ee=0;C>=ke;ee++){let le=Gr(De+G*ee,Ae+oe*ee,1),me=le-D(Ye(le*l,3));ke=Ye((+le+me)*l,3),ke>
C||J.push(ke)}}else{let oe=v>H?H:v,G=K+(gn(E)-gn(U))+Wo(U-K,oe);J.push(G);let ke=D(G),_e=ke.getHours()+ke.getMinutes()/$+ke.getSeconds()/p,De=H/p,Ae=Q/M.axes[R].
_space;for(;G=Ye(G+H,l==1?0:3),C>=G;)if(De>1){let ee=gn(Ye(_e+De,6))%24,le=D(G).getHours()-ee;le>1&&(le=-1),G-=le*p,_e=(_e+De)%24,.7>Ye((G-J[J.length-1])/H,3)*Ae||
J.push(G)}else J.push(G)}return J}}]}let[Zp,Xp,Qp]=id(1),[eh,th,nh]=id(.001);function ld(l,u){return l.map(($=>$.map(((p,v)=>v==0||v==8||p==null?p:u(v==1||$[8]==
0?p:$[1]+p)))))}function dd(l,u){return($,p,v,_,x)=>{let D,M,R,E,C,H,Q=u.find((J=>x>=J[0]))||u[u.length-1];return p.map((J=>{let Y=l(J),ye=Y.getFullYear(),pe=Y.
getMonth(),U=Y.getDate(),be=Y.getHours(),K=Y.getMinutes(),oe=Y.getSeconds(),G=ye!=D&&Q[2]||pe!=M&&Q[3]||U!=R&&Q[4]||be!=E&&Q[5]||K!=C&&Q[6]||oe!=H&&Q[7]||Q[1];return D=
ye,M=pe,R=U,E=be,C=K,H=oe,G(Y)}))}}function Gr(l,u,$){return new Date(l,u,$)}function cd(l,u){return u(l)}function ud(l,u){return($,p,v,_)=>_==null?ae:u(l(p))}io(
2,-53,53,[1]);let ah={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(l,u){let $=l.series[u];return $.width?$.stroke(l,u):$.points.
width?$.points.stroke(l,u):null},fill:function(l,u){return l.series[u].fill(l,u)},dash:"solid"},idx:null,idxs:null,values:[]},Kr=[0,0];function Bo(l,u,$,p=!0){return v=>{
v.button==0&&(!p||v.target==u)&&$(v)}}function Vr(l,u,$,p=!0){return v=>{(!p||v.target==u)&&$(v)}}let sh={show:!0,x:!0,y:!0,lock:!1,move:function(l,u,$){return Kr[0]=
u,Kr[1]=$,Kr},points:{one:!1,show:function(l,u){let $=l.cursor.points,p=Yt(),v=$.size(l,u);Oe(p,n,v),Oe(p,s,v);let _=v/-2;Oe(p,"marginLeft",_),Oe(p,"marginTop",
_);let x=$.width(l,u,v);return x&&Oe(p,"borderWidth",x),p},size:function(l,u){return l.series[u].points.size},width:0,stroke:function(l,u){let $=l.series[u].points;
return $._stroke||$._fill},fill:function(l,u){let $=l.series[u].points;return $._fill||$._stroke}},bind:{mousedown:Bo,mouseup:Bo,click:Bo,dblclick:Bo,mousemove:Vr,
mouseleave:Vr,mouseenter:Vr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(l,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(l,u,$,p,v)=>p-
v,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},pd={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
Yr=_t({},pd,{filter:ql}),hd=_t({},Yr,{size:10}),fd=_t({},pd,{show:!1}),Zr='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',md="bold "+Zr,$d={show:!0,scale:"x",stroke:g,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:md,side:2,grid:Yr,ticks:hd,border:fd,font:Zr,lineGap:1.5,rotate:0},gd={show:!0,scale:"x",auto:!1,sorted:1,min:Ve,max:-Ve,
idxs:[]};function oh(l,u){return u.map(($=>$==null?"":qr($)))}function rh(l,u,$,p,v,_,x){let D=[],M=ua.get(v)||0;for(let R=$=x?$:Ye(Wo($,v),M);p>=R;R=Ye(R+v,M))
D.push(Object.is(R,-0)?0:R);return D}function Xr(l,u,$,p,v){let _=[],x=l.scales[l.axes[u].scale].log,D=gn((x==10?Xn:Fl)($));v=os(x,D),x==10&&(v=La[En(v,La)]);let M=$,
R=v*x;x==10&&(R=La[En(R,La)]);do _.push(M),M+=v,x!=10||ua.has(M)||(M=Ye(M,ua.get(v))),R>M||(R=(v=M)*x,x==10&&(R=La[En(R,La)]));while(p>=M);return _}function ih(l,u,$,p,v){
let _=l.scales[l.axes[u].scale].asinh,x=p>_?Xr(l,u,sn(_,$),p,v):[_],D=0>p||$>0?[]:[0];return(-_>$?Xr(l,u,sn(_,-p),-$,v):[_]).reverse().map((M=>-M)).concat(D,x)}
let bd=/./,lh=/[12357]/,dh=/[125]/,vd=/1/,Qr=(l,u,$,p)=>l.map(((v,_)=>u==4&&v==0||_%p==0&&$.test(v.toExponential()[0>v?1:0])?v:null));function ch(l,u,$){let p=l.
axes[$],v=p.scale,_=l.scales[v],x=l.valToPos,D=p._space,M=x(10,v),R=x(9,v)-M<D?x(7,v)-M<D?x(5,v)-M<D?vd:dh:lh:bd;if(R==vd){let E=Dt(x(1,v)-M);if(D>E)return Qr(u.
slice().reverse(),_.distr,R,jn(D/E)).reverse()}return Qr(u,_.distr,R,1)}function uh(l,u,$){let p=l.axes[$],v=p.scale,_=p._space,x=l.valToPos,D=Dt(x(1,v)-x(2,v));
return _>D?Qr(u.slice().reverse(),3,bd,jn(_/D)).reverse():u}function ph(l,u,$,p){return p==null?ae:u==null?"":qr(u)}let wd={show:!0,scale:"y",stroke:g,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:md,side:3,grid:Yr,ticks:hd,border:fd,font:Zr,lineGap:1.5,rotate:0},yd={scale:null,auto:!0,sorted:0,min:Ve,
max:-Ve},xd=(l,u,$,p,v)=>v,kd={show:!0,auto:!0,sorted:0,gaps:xd,alpha:1,facets:[_t({},yd,{scale:"x"}),_t({},yd,{scale:"y"})]},_d={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:xd,alpha:1,points:{show:function(l,u){let{scale:$,idxs:p}=l.series[0],v=l._data[0],_=l.valToPos(v[p[0]],$,!0),x=l.valToPos(v[p[1]],$,!0);return Dt(
x-_)/(l.series[u].points.space*q)>=p[1]-p[0]},filter:null},values:null,min:Ve,max:-Ve,idxs:[],path:null,clip:null};function hh(l,u,$){return $/10}let jd={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},fh=_t({},jd,{time:!1,ori:1}),Cd={};function Sd(l){let u=Cd[l];return u||(u={key:l,plots:[],sub($){
u.plots.push($)},unsub($){u.plots=u.plots.filter((p=>p!=$))},pub($,p,v,_,x,D,M){for(let R=0;u.plots.length>R;R++)u.plots[R]!=p&&u.plots[R].pub($,p,v,_,x,D,M)}},
l!=null&&(Cd[l]=u)),u}function Fa(l,u,$){let p=l.mode,v=l.series[u],_=p==2?l._data[u]:l._data,x=l.scales,D=l.bbox,M=_[0],R=p==2?_[1]:_[u],E=p==2?x[v.facets[0].scale]:
x[l.series[0].scale],C=p==2?x[v.facets[1].scale]:x[v.scale],H=D.left,Q=D.top,J=D.width,Y=D.height,ye=l.valToPosH,pe=l.valToPosV;return E.ori==0?$(v,M,R,E,C,ye,pe,
H,Q,J,Y,Go,ds,Vo,Rd,Md):$(v,M,R,E,C,pe,ye,Q,H,Y,J,Ko,cs,ni,Ad,Od)}function ei(l,u){let $=0,p=0,v=Fe(l.bands,Br);for(let _=0;v.length>_;_++){let x=v[_];x.series[0]==
u?$=x.dir:x.series[1]==u&&(p|=x.dir==1?1:2)}return[$,p==1?-1:p==2?1:p==3?2:0]}function mh(l,u,$,p,v){let _=l.series[u],x=l.scales[l.mode==2?_.facets[1].scale:_.
scale];return v==-1?x.min:v==1?x.max:x.distr==3?x.dir==1?x.min:x.max:0}function Qn(l,u,$,p,v,_){return Fa(l,u,((x,D,M,R,E,C,H,Q,J,Y,ye)=>{let pe=x.pxRound,U=R.ori==
0?ds:cs,be,K;R.dir*(R.ori==0?1:-1)==1?(be=$,K=p):(be=p,K=$);let oe=pe(C(D[be],R,Y,Q)),G=pe(H(M[be],E,ye,J)),ke=pe(C(D[K],R,Y,Q)),_e=pe(H(_==1?E.max:E.min,E,ye,J)),
De=new Path2D(v);return U(De,ke,_e),U(De,oe,_e),U(De,oe,G),De}))}function Jo(l,u,$,p,v,_){let x=null;if(l.length>0){x=new Path2D;let D=u==0?Vo:ni,M=$;for(let C=0;l.
length>C;C++){let H=l[C];if(H[1]>H[0]){let Q=H[0]-M;Q>0&&D(x,M,p,Q,p+_),M=H[1]}}let R=$+v-M,E=10;R>0&&D(x,M,p-E/2,R,p+_+E)}return x}function ti(l,u,$,p,v,_,x){let D=[],
M=l.length;for(let R=v==1?$:p;R>=$&&p>=R;R+=v)if(u[R]===null){let E=R,C=R;if(v==1)for(;++R<=p&&u[R]===null;)C=R;else for(;--R>=$&&u[R]===null;)C=R;let H=_(l[E]),
Q=C==E?H:_(l[C]),J=E-v;H=x>0||0>J||J>=M?H:_(l[J]);let Y=C+v;Q=0>x||0>Y||Y>=M?Q:_(l[Y]),H>Q||D.push([H,Q])}return D}function Td(l){return l==0?Wl:l==1?Rt:u=>Pa(u,
l)}function Dd(l){let u=l==0?Go:Ko,$=l==0?(v,_,x,D,M,R)=>{v.arcTo(_,x,D,M,R)}:(v,_,x,D,M,R)=>{v.arcTo(x,_,M,D,R)},p=l==0?(v,_,x,D,M)=>{v.rect(_,x,D,M)}:(v,_,x,D,M)=>{
v.rect(x,_,M,D)};return(v,_,x,D,M,R=0,E=0)=>{R==0&&E==0?p(v,_,x,D,M):(R=In(R,D/2,M/2),E=In(E,D/2,M/2),u(v,_+R,x),$(v,_+D,x,_+D,x+M,R),$(v,_+D,x+M,_,x+M,E),$(v,_,
x+M,_,x,E),$(v,_,x,_+D,x,R),v.closePath())}}let Go=(l,u,$)=>{l.moveTo(u,$)},Ko=(l,u,$)=>{l.moveTo($,u)},ds=(l,u,$)=>{l.lineTo(u,$)},cs=(l,u,$)=>{l.lineTo($,u)},
Vo=Dd(0),ni=Dd(1),Rd=(l,u,$,p,v,_)=>{l.arc(u,$,p,v,_)},Ad=(l,u,$,p,v,_)=>{l.arc($,u,p,v,_)},Md=(l,u,$,p,v,_,x)=>{l.bezierCurveTo(u,$,p,v,_,x)},Od=(l,u,$,p,v,_,x)=>{
l.bezierCurveTo($,u,v,p,x,_)};function Ed(){return(l,u,$,p,v)=>Fa(l,u,((_,x,D,M,R,E,C,H,Q,J,Y)=>{let ye,pe,{pxRound:U,points:be}=_;M.ori==0?(ye=Go,pe=Rd):(ye=Ko,
pe=Ad);let K=Ye(be.width*q,3),oe=(be.size-be.width)/2*q,G=Ye(2*oe,3),ke=new Path2D,_e=new Path2D,{left:De,top:Ae,width:ee,height:le}=l.bbox;Vo(_e,De-G,Ae-G,ee+2*
G,le+2*G);let me=ze=>{if(D[ze]!=null){let he=U(E(x[ze],M,J,H)),Me=U(C(D[ze],R,Y,Q));ye(ke,he+oe,Me),pe(ke,he,Me,oe,0,2*No)}};if(v)v.forEach(me);else for(let ze=$;p>=
ze;ze++)me(ze);return{stroke:K>0?ke:null,fill:ke,clip:_e,flags:3}}))}function Id(l){return(u,$,p,v,_,x)=>{p!=v&&(_!=p&&x!=p&&l(u,$,p),_!=v&&x!=v&&l(u,$,v),l(u,$,
x))}}let $h=Id(ds),gh=Id(cs);function Pd(l){let u=Fe(l?.alignGaps,0);return($,p,v,_)=>Fa($,p,((x,D,M,R,E,C,H,Q,J,Y,ye)=>{[v,_]=Lo(M,v,_);let pe,U,be=x.pxRound,K=le=>be(
C(le,R,Y,Q)),oe=le=>be(H(le,E,ye,J));R.ori==0?(pe=ds,U=$h):(pe=cs,U=gh);let G=R.dir*(R.ori==0?1:-1),ke={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},_e=ke.stroke,De=!1;if(_-v<4*Y)for(let le=G==1?v:_;le>=v&&_>=le;le+=G){let me=M[le];me===null?De=!0:me!=null&&pe(_e,K(D[le]),oe(me))}else{let le,me,ze,he=ce=>$.
posToVal(ce,R.key,!0),Me=null,it=null,At=K(D[G==1?v:_]),Ze=K(D[v]),Ut=K(D[_]),Re=he(G==1?Ze+1:Ut-1);for(let ce=G==1?v:_;ce>=v&&_>=ce;ce+=G){let re=D[ce],lt=(G==
1?Re>re:re>Re)?At:K(re),mt=M[ce];lt==At?mt!=null?(me=mt,Me==null?(pe(_e,lt,oe(me)),le=Me=it=me):Me>me?Me=me:me>it&&(it=me)):mt===null&&(De=!0):(Me!=null&&U(_e,At,
oe(Me),oe(it),oe(le),oe(me)),mt!=null?(me=mt,pe(_e,lt,oe(me)),Me=it=le=me):(Me=it=null,mt===null&&(De=!0)),At=lt,Re=he(At+G))}Me!=null&&Me!=it&&ze!=At&&U(_e,At,
oe(Me),oe(it),oe(le),oe(me))}let[Ae,ee]=ei($,p);if(x.fill!=null||Ae!=0){let le=ke.fill=new Path2D(_e),me=oe(x.fillTo($,p,x.min,x.max,Ae)),ze=K(D[v]),he=K(D[_]);
G==-1&&([he,ze]=[ze,he]),pe(le,he,me),pe(le,ze,me)}if(!x.spanGaps){let le=[];De&&le.push(...ti(D,M,v,_,G,K,u)),ke.gaps=le=x.gaps($,p,v,_,le),ke.clip=Jo(le,R.ori,
Q,J,Y,ye)}return ee!=0&&(ke.band=ee==2?[Qn($,p,v,_,_e,-1),Qn($,p,v,_,_e,1)]:Qn($,p,v,_,_e,ee)),ke}))}function Ld(l,u,$,p,v,_,x=Ve){if(l.length>1){let D=null;for(let M=0,
R=1/0;l.length>M;M++)if(u[M]!==void 0){if(D!=null){let E=Dt(l[M]-l[D]);R>E&&(R=E,x=Dt($(l[M],p,v,_)-$(l[D],p,v,_)))}D=M}}return x}function bh(l,u,$,p,v){let _=l.
length;if(2>_)return null;let x=new Path2D;if($(x,l[0],u[0]),_==2)p(x,l[1],u[1]);else{let D=Array(_),M=Array(_-1),R=Array(_-1),E=Array(_-1);for(let C=0;_-1>C;C++)
R[C]=u[C+1]-u[C],E[C]=l[C+1]-l[C],M[C]=R[C]/E[C];D[0]=M[0];for(let C=1;_-1>C;C++)M[C]===0||M[C-1]===0||M[C-1]>0!=M[C]>0?D[C]=0:(D[C]=3*(E[C-1]+E[C])/((2*E[C]+E[C-
1])/M[C-1]+(E[C]+2*E[C-1])/M[C]),isFinite(D[C])||(D[C]=0));D[_-1]=M[_-2];for(let C=0;_-1>C;C++)v(x,l[C]+E[C]/3,u[C]+D[C]*E[C]/3,l[C+1]-E[C]/3,u[C+1]-D[C+1]*E[C]/
3,l[C+1],u[C+1])}return x}let ai=new Set;function Fd(){for(let l of ai)l.syncRect(!0)}ut&&(mn("resize",gt,Fd),mn("scroll",gt,Fd,!0),mn(Se,gt,(()=>{Zt.pxRatio=q})));
let vh=Pd(),wh=Ed();function zd(l,u,$,p){return(p?[l[0],l[1]].concat(l.slice(2)):[l[0]].concat(l.slice(1))).map(((v,_)=>si(v,_,u,$)))}function si(l,u,$,p){return _t(
{},u==0?$:p,l)}function Nd(l,u,$){return u==null?rs:[u,$]}let yh=Nd;function xh(l,u,$){return u==null?rs:zo(u,$,Wr,!0)}function Wd(l,u,$,p){return u==null?rs:Fo(
u,$,l.scales[p].log,!1)}let kh=Wd;function qd(l,u,$,p){return u==null?rs:Nr(u,$,l.scales[p].log,!1)}let _h=qd;function jh(l,u,$,p,v){let _=sn(zl(l),zl(u)),x=u-l,
D=En(v/p*x,$);do{let M=$[D],R=p*M/x;if(R>=v&&17>=_+(5>M?ua.get(M):0))return[M,R]}while(++D<$.length);return[0,0]}function Hd(l){let u,$;return[l=l.replace(/(\d+)px/,
((p,v)=>(u=Rt(($=+v)*q))+"px")),u,$]}function Ch(l){l.show&&[l.font,l.labelFont].forEach((u=>{let $=Ye(u[2]*q,1);u[0]=u[0].replace(/[0-9.]+px/,$+"px"),u[1]=$}))}
function Zt(l,u,$){let p={mode:Fe(l.mode,1)},v=p.mode;function _(c,h,m,w){let k=h.valToPct(c);return w+m*(h.dir==-1?1-k:k)}function x(c,h,m,w){let k=h.valToPct(
c);return w+m*(h.dir==-1?k:1-k)}function D(c,h,m,w){return h.ori==0?_(c,h,m,w):x(c,h,m,w)}p.valToPosH=_,p.valToPosV=x;let M=!1;p.status=0;let R=p.root=Yt("uplot");
l.id!=null&&(R.id=l.id),pt(R,l.class),l.title&&(Yt("u-title",R).textContent=l.title);let E=It("canvas"),C=p.ctx=E.getContext("2d"),H=Yt("u-wrap",R);mn("click",H,
(c=>{c.target===J&&(tt!=_s||dt!=js)&&Gt.click(p,c)}),!0);let Q=p.under=Yt("u-under",H);H.appendChild(E);let J=p.over=Yt("u-over",H),Y=+Fe((l=is(l)).pxAlign,1),ye=Td(
Y);(l.plugins||[]).forEach((c=>{c.opts&&(l=c.opts(p,l)||l)}));let pe=l.ms||.001,U=p.series=v==1?zd(l.series||[],gd,_d,!1):(function(c,h){return c.map(((m,w)=>w==
0?{}:_t({},h,m)))})(l.series||[null],kd),be=p.axes=zd(l.axes||[],$d,wd,!0),K=p.scales={},oe=p.bands=l.bands||[];oe.forEach((c=>{c.fill=Ee(c.fill||null),c.dir=Fe(
c.dir,-1)}));let G=v==2?U[1].facets[0].scale:U[0].scale,ke={axes:function(){for(let c=0;be.length>c;c++){let h=be[c];if(!h.show||!h._show)continue;let m,w,k=h.side,
S=k%2,O=h.stroke(p,c),P=k==0||k==3?-1:1,[F,z]=h._found;if(h.label!=null){let st=Rt((h._lpos+h.labelGap*P)*q);Yd(h.labelFont[0],O,"center",k==2?"top":r),C.save(),
S==1?(m=w=0,C.translate(st,Rt(rn+qa/2)),C.rotate((k==3?-No:No)/2)):(m=Rt(Sn+Fn/2),w=st);let tn=Nl(h.label)?h.label(p,c,F,z):h.label;C.fillText(tn,m,w),C.restore()}
if(z==0)continue;let B=K[h.scale],ie=S==0?Fn:qa,Le=S==0?Sn:rn,xe=h._splits,ge=B.distr==2?xe.map((st=>zn[st])):xe,ve=B.distr==2?zn[xe[1]]-zn[xe[0]]:F,W=h.ticks,fe=h.
border,qe=W.show?W.size:0,wt=Rt(qe*q),at=Rt((h.alignTo==2?h._size-qe-h.gap:h.gap)*q),Be=h._rotate*-No/180,Kt=ye(h._pos*q),Qt=Kt+(wt+at)*P;w=S==0?Qt:0,m=S==1?Qt:
0,Yd(h.font[0],O,h.align==1?i:h.align==2?d:Be>0?i:0>Be?d:S==0?"center":k==3?d:i,Be||S==1?"middle":k==2?"top":r);let en=h.font[1]*h.lineGap,$t=xe.map((st=>ye(D(st,
B,ie,Le)))),wn=h._values;for(let st=0;wn.length>st;st++){let tn=wn[st];if(tn!=null){S==0?m=$t[st]:w=$t[st],tn=""+tn;let dn=tn.indexOf(`
`)==-1?[tn]:tn.split(/\n/gm);for(let Rn=0;dn.length>Rn;Rn++){let aa=dn[Rn];Be?(C.save(),C.translate(m,w+Rn*en),C.rotate(Be),C.fillText(aa,0,0),C.restore()):C.fillText(
aa,m,w+Rn*en)}}}W.show&&gi($t,W.filter(p,ge,c,z,ve),S,k,Kt,wt,Ye(W.width*q,3),W.stroke(p,c),W.dash,W.cap);let Ct=h.grid;Ct.show&&gi($t,Ct.filter(p,ge,c,z,ve),S,
S==0?2:1,S==0?rn:Sn,S==0?qa:Fn,Ye(Ct.width*q,3),Ct.stroke(p,c),Ct.dash,Ct.cap),fe.show&&gi([Kt],[1],S==0?1:0,S==0?1:2,S==1?rn:Sn,S==1?qa:Fn,Ye(fe.width*q,3),fe.
stroke(p,c),fe.dash,fe.cap)}Nt("drawAxes")},series:function(){if(Jt>0){let c=U.some((h=>h._focus))&&ln!=Un.alpha;c&&(C.globalAlpha=ln=Un.alpha),U.forEach(((h,m)=>{
if(m>0&&h.show&&(Xd(m,!1),Xd(m,!0),h._paths==null)){let w=ln;ln!=h.alpha&&(C.globalAlpha=ln=h.alpha);let k=v==2?[0,u[m][0].length-1]:(function(S){let O=Ur(Pt-1,
0,Jt-1),P=Ur(Lt+1,0,Jt-1);for(;S[O]==null&&O>0;)O--;for(;S[P]==null&&Jt-1>P;)P++;return[O,P]})(u[m]);h._paths=h.paths(p,m,k[0],k[1]),ln!=w&&(C.globalAlpha=ln=w)}})),
U.forEach(((h,m)=>{if(m>0&&h.show){let w=ln;ln!=h.alpha&&(C.globalAlpha=ln=h.alpha),h._paths!=null&&Qd(m,!1);{let k=h._paths!=null?h._paths.gaps:null,S=h.points.
show(p,m,Pt,Lt,k),O=h.points.filter(p,m,S,k);(S||O)&&(h.points._paths=h.points.paths(p,m,Pt,Lt,O),Qd(m,!0))}ln!=w&&(C.globalAlpha=ln=w),Nt("drawSeries",m)}})),c&&
(C.globalAlpha=ln=1)}}},_e=(l.drawOrder||["axes","series"]).map((c=>ke[c]));function De(c){let h=c.distr==3?m=>Xn(m>0?m:c.clamp(p,m,c.min,c.max,c.key)):c.distr==
4?m=>Hr(m,c.asinh):c.distr==100?m=>c.fwd(m):m=>m;return m=>{let w=h(m),{_min:k,_max:S}=c;return(w-k)/(S-k)}}function Ae(c){let h=K[c];if(h==null){let m=(l.scales||
lo)[c]||lo;if(m.from!=null){Ae(m.from);let w=_t({},K[m.from],m,{key:c});w.valToPct=De(w),K[c]=w}else{h=K[c]=_t({},c==G?jd:fh,m),h.key=c;let w=h.time,k=h.range,S=pa(
k);if((c!=G||v==2&&!w)&&(!S||k[0]!=null&&k[1]!=null||(k={min:k[0]==null?Il:{mode:1,hard:k[0],soft:k[0]},max:k[1]==null?Il:{mode:1,hard:k[1],soft:k[1]}},S=!1),!S&&
qo(k))){let O=k;k=(P,F,z)=>F==null?rs:zo(F,z,O)}h.range=Ee(k||(w?yh:c==G?h.distr==3?kh:h.distr==4?_h:Nd:h.distr==3?Wd:h.distr==4?qd:xh)),h.auto=Ee(!S&&h.auto),h.
clamp=Ee(h.clamp||hh),h._min=h._max=null,h.valToPct=De(h)}}}Ae("x"),Ae("y"),v==1&&U.forEach((c=>{Ae(c.scale)})),be.forEach((c=>{Ae(c.scale)}));for(let c in l.scales)
Ae(c);let ee=K[G],le=ee.distr,me,ze;ee.ori==0?(pt(R,"u-hz"),me=_,ze=x):(pt(R,"u-vt"),me=x,ze=_);let he={};for(let c in K){let h=K[c];h.min==null&&h.max==null||(he[c]=
{min:h.min,max:h.max},h.min=h.max=null)}let Me=l.tzDate||(c=>new Date(Rt(c/pe))),it=l.fmtDate||Jr,At=pe==1?Qp(Me):nh(Me),Ze=dd(Me,ld(pe==1?Xp:th,it)),Ut=ud(Me,cd(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",it)),Re=[],ce=p.legend=_t({},ah,l.legend),re=p.cursor=_t({},sh,{drag:{y:v==2}},l.cursor),lt=ce.show,mt=re.show,bt=ce.markers,Pn,
us,bn;ce.idxs=Re,bt.width=Ee(bt.width),bt.dash=Ee(bt.dash),bt.stroke=Ee(bt.stroke),bt.fill=Ee(bt.fill);let vt,vn=[],ha=[],Cn=!1,fa={};if(ce.live){let c=U[1]?U[1].
values:null;Cn=c!=null,vt=Cn?c(p,1,0):{_:0};for(let h in vt)fa[h]=ae}if(lt)if(Pn=It("table","u-legend",R),bn=It("tbody",null,Pn),ce.mount(p,Pn),Cn){us=It("thead",
null,Pn,bn);let c=It("tr",null,us);for(var ps in It("th",null,c),vt)It("th",t,c).textContent=ps}else pt(Pn,"u-inline"),ce.live&&pt(Pn,"u-live");let hs={show:!0},
po={show:!1},ma=new Map;function on(c,h,m,w=!0){let k=ma.get(h)||{},S=re.bind[c](p,h,m,w);S&&(mn(c,h,k[c]=S),ma.set(h,k))}function fs(c,h){let m=ma.get(h)||{};for(let w in m)
c!=null&&w!=c||(ss(w,h,m[w]),delete m[w]);c==null&&ma.delete(h)}let ea=0,za=0,je=0,V=0,Xe=0,Bt=0,Na=Xe,ta=Bt,Wa=je,Ln=V,Sn=0,rn=0,Fn=0,qa=0;p.bbox={};let oi=!1,
Yo=!1,ms=!1,Ha=!1,Zo=!1,Tn=!1;function ri(c,h,m){(m||c!=p.width||h!=p.height)&&Ud(c,h),ys(!1),ms=!0,Yo=!0,Cs()}function Ud(c,h){p.width=ea=je=c,p.height=za=V=h,
Xe=Bt=0,(function(){let w=!1,k=!1,S=!1,O=!1;be.forEach((P=>{if(P.show&&P._show){let{side:F,_size:z}=P,B=z+(P.label!=null?P.labelSize:0);B>0&&(F%2?(je-=B,F==3?(Xe+=
B,O=!0):S=!0):(V-=B,F==0?(Bt+=B,w=!0):k=!0))}})),Ba[0]=w,Ba[1]=S,Ba[2]=k,Ba[3]=O,je-=$a[1]+$a[3],Xe+=$a[3],V-=$a[2]+$a[0],Bt+=$a[0]})(),(function(){let w=Xe+je,
k=Bt+V,S=Xe,O=Bt;function P(F,z){switch(F){case 1:return w+=z,w-z;case 2:return k+=z,k-z;case 3:return S-=z,S+z;case 0:return O-=z,O+z}}be.forEach((F=>{if(F.show&&
F._show){let z=F.side;F._pos=P(z,F._size),F.label!=null&&(F._lpos=P(z,F.labelSize))}}))})();let m=p.bbox;Sn=m.left=Pa(Xe*q,.5),rn=m.top=Pa(Bt*q,.5),Fn=m.width=Pa(
je*q,.5),qa=m.height=Pa(V*q,.5)}let Sh=3;if(p.setSize=function({width:c,height:h}){ri(c,h)},re.dataIdx==null){let c=re.hover,h=c.skip=new Set(c.skip??[]);h.add(
void 0);let m=c.prox=Ee(c.prox),w=c.bias??=0;re.dataIdx=(k,S,O,P)=>{if(S==0)return O;let F=O,z=m(k,S,O,P)??Ve,B=z>=0&&Ve>z,ie=ee.ori==0?je:V,Le=re.left,xe=u[0],
ge=u[S];if(h.has(ge[O])){F=null;let ve,W=null,fe=null;if(w==0||w==-1)for(ve=O;W==null&&ve-- >0;)h.has(ge[ve])||(W=ve);if(w==0||w==1)for(ve=O;fe==null&&ve++<ge.length;)
h.has(ge[ve])||(fe=ve);if(W!=null||fe!=null)if(B){let qe=Le-(W==null?-1/0:me(xe[W],ee,ie,0)),wt=(fe==null?1/0:me(xe[fe],ee,ie,0))-Le;qe>wt?wt>z||(F=fe):qe>z||(F=
W)}else F=fe==null?W:W==null||O-W>fe-O?fe:W}else B&&Dt(Le-me(xe[O],ee,ie,0))>z&&(F=null);return F}}let Ua=c=>{re.event=c};re.idxs=Re,re._lock=!1;let Xt=re.points;
Xt.show=Ee(Xt.show),Xt.size=Ee(Xt.size),Xt.stroke=Ee(Xt.stroke),Xt.width=Ee(Xt.width),Xt.fill=Ee(Xt.fill);let Un=p.focus=_t({},l.focus||{alpha:.3},re.focus),$s=Un.
prox>=0,gs=$s&&Xt.one,Dn=[],bs=[],vs=[];function Bd(c,h){let m=Xt.show(p,h);if(m instanceof HTMLElement)return pt(m,"u-cursor-pt"),pt(m,c.class),_n(m,-10,-10,je,
V),J.insertBefore(m,Dn[h]),m}function Jd(c,h){if(v==1||h>0){let m=v==1&&K[c.scale].time,w=c.value;c.value=m?Kl(w)?ud(Me,cd(w,it)):w||Ut:w||ph,c.label=c.label||(m?
"Time":"Value")}if(gs||h>0){c.width=c.width==null?1:c.width,c.paths=c.paths||vh||Fp,c.fillTo=Ee(c.fillTo||mh),c.pxAlign=+Fe(c.pxAlign,Y),c.pxRound=Td(c.pxAlign),
c.stroke=Ee(c.stroke||null),c.fill=Ee(c.fill||null),c._stroke=c._fill=c._paths=c._focus=null;let m=(function(k){return Ye(1*(3+2*(k||1)),3)})(sn(1,c.width)),w=c.
points=_t({},{size:m,width:sn(1,.2*m),stroke:c.stroke,space:2*m,paths:wh,_stroke:null,_fill:null},c.points);w.show=Ee(w.show),w.filter=Ee(w.filter),w.fill=Ee(w.
fill),w.stroke=Ee(w.stroke),w.paths=Ee(w.paths),w.pxAlign=c.pxAlign}if(lt){let m=(function(w,k){if(k==0&&(Cn||!ce.live||v==2))return rs;let S=[],O=It("tr","u-se\
ries",bn,bn.childNodes[k]);pt(O,w.class),w.show||pt(O,e);let P=It("th",null,O);if(bt.show){let B=Yt("u-marker",P);if(k>0){let ie=bt.width(p,k);ie&&(B.style.border=
ie+"px "+bt.dash(p,k)+" "+bt.stroke(p,k)),B.style.background=bt.fill(p,k)}}let F=Yt(t,P);for(var z in w.label instanceof HTMLElement?F.appendChild(w.label):F.textContent=
w.label,k>0&&(bt.show||(F.style.color=w.width>0?bt.stroke(p,k):bt.fill(p,k)),on("click",P,(B=>{if(re._lock)return;Ua(B);let ie=U.indexOf(w);if((B.ctrlKey||B.metaKey)!=
ce.isolate){let Le=U.some(((xe,ge)=>ge>0&&ge!=ie&&xe.show));U.forEach(((xe,ge)=>{ge>0&&Bn(ge,Le?ge==ie?hs:po:hs,!0,jt.setSeries)}))}else Bn(ie,{show:!w.show},!0,
jt.setSeries)}),!1),$s&&on(T,P,(B=>{re._lock||(Ua(B),Bn(U.indexOf(w),Ts,!0,jt.setSeries))}),!1)),vt){let B=It("td","u-value",O);B.textContent="--",S.push(B)}return[
O,S]})(c,h);vn.splice(h,0,m[0]),ha.splice(h,0,m[1]),ce.values.push(null)}if(mt){Re.splice(h,0,null);let m=null;gs?h==0&&(m=Bd(c,h)):h>0&&(m=Bd(c,h)),Dn.splice(h,
0,m),bs.splice(h,0,0),vs.splice(h,0,0)}Nt("addSeries",h)}p.addSeries=function(c,h){h=h??U.length,c=v==1?si(c,h,gd,_d):si(c,h,{},kd),U.splice(h,0,c),Jd(U[h],h)},
p.delSeries=function(c){if(U.splice(c,1),lt){ce.values.splice(c,1),ha.splice(c,1);let h=vn.splice(c,1)[0];fs(null,h.firstChild),h.remove()}mt&&(Re.splice(c,1),Dn.
splice(c,1)[0].remove(),bs.splice(c,1),vs.splice(c,1)),Nt("delSeries",c)};let Ba=[!1,!1,!1,!1];function ho(c,h,m){let[w,k,S,O]=m,P=h%2,F=0;return P==0&&(O||k)&&
(F=h==0&&!w||h==2&&!S?Rt($d.size/3):0),P==1&&(w||S)&&(F=h==1&&!k||h==3&&!O?Rt(wd.size/2):0),F}let Gd=p.padding=(l.padding||[ho,ho,ho,ho]).map((c=>Ee(Fe(c,ho)))),
$a=p._padding=Gd.map(((c,h)=>c(p,h,Ba,0))),Jt,Pt=null,Lt=null,Xo=v==1?U[0].idxs:null,Qo,ws,ii,li,di,ci,ui,pi,hi,ln,zn=null,fo=!1;function Kd(c,h){if(p.data=p._data=
u=c??[],v==2){Jt=0;for(let m=1;U.length>m;m++)Jt+=u[m][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),zn=u[0],Jt=zn.length;let m=u;if(le==2){m=u.slice();let w=m[0]=
Array(Jt);for(let k=0;Jt>k;k++)w[k]=k}p._data=u=m}if(ys(!0),Nt("setData"),le==2&&(ms=!0),h!==!1){let m=ee;m.auto(p,fo)?fi():ba(G,m.min,m.max),Ha=Ha||re.left>=0,
Tn=!0,Cs()}}function fi(){let c,h;fo=!0,v==1&&(Jt>0?(Pt=Xo[0]=0,Lt=Xo[1]=Jt-1,c=u[0][Pt],h=u[0][Lt],le==2?(c=Pt,h=Lt):c==h&&(le==3?[c,h]=Fo(c,c,ee.log,!1):le==4?
[c,h]=Nr(c,c,ee.log,!1):ee.time?h=c+Rt(86400/pe):[c,h]=zo(c,h,Wr,!0))):(Pt=Xo[0]=c=null,Lt=Xo[1]=h=null)),ba(G,c,h)}function Vd(c,h,m,w,k,S){c??=f,m??=Br,w??="b\
utt",k??=f,S??="round",c!=Qo&&(C.strokeStyle=Qo=c),k!=ws&&(C.fillStyle=ws=k),h!=ii&&(C.lineWidth=ii=h),S!=di&&(C.lineJoin=di=S),w!=ci&&(C.lineCap=ci=w),m!=li&&C.
setLineDash(li=m)}function Yd(c,h,m,w){h!=ws&&(C.fillStyle=ws=h),c!=ui&&(C.font=ui=c),m!=pi&&(C.textAlign=pi=m),w!=hi&&(C.textBaseline=hi=w)}function mi(c,h,m,w,k=0){
if(w.length>0&&c.auto(p,fo)&&(h==null||h.min==null)){let S=Fe(Pt,0),O=Fe(Lt,w.length-1),P=m.min==null?(function(F,z,B,ie=0,Le=!1){let xe=Le?Ip:Lo,ge=Le?El:Ol;[z,
B]=xe(F,z,B);let ve=F[z],W=F[z];if(z>-1)if(ie==1)ve=F[z],W=F[B];else if(ie==-1)ve=F[B],W=F[z];else for(let fe=z;B>=fe;fe++){let qe=F[fe];ge(qe)&&(ve>qe?ve=qe:qe>
W&&(W=qe))}return[ve??Ve,W??-Ve]})(w,S,O,k,c.distr==3):[m.min,m.max];c.min=In(c.min,m.min=P[0]),c.max=sn(c.max,m.max=P[1])}}p.setData=Kd;let Zd={min:null,max:null};
function Xd(c,h){let m=h?U[c].points:U[c];m._stroke=m.stroke(p,c),m._fill=m.fill(p,c)}function Qd(c,h){let m=h?U[c].points:U[c],{stroke:w,fill:k,clip:S,flags:O,
_stroke:P=m._stroke,_fill:F=m._fill,_width:z=m.width}=m._paths;z=Ye(z*q,3);let B=null,ie=z%2/2;h&&F==null&&(F=z>0?"#fff":P);let Le=m.pxAlign==1&&ie>0;if(Le&&C.translate(
ie,ie),!h){let xe=Sn-z/2,ge=rn-z/2,ve=Fn+z,W=qa+z;B=new Path2D,B.rect(xe,ge,ve,W)}h?$i(P,z,m.dash,m.cap,F,w,k,O,S):(function(xe,ge,ve,W,fe,qe,wt,at,Be,Kt,Qt){let en=!1;
Be!=0&&oe.forEach((($t,wn)=>{if($t.series[0]==xe){let Ct,st=U[$t.series[1]],tn=u[$t.series[1]],dn=(st._paths||lo).band;pa(dn)&&(dn=$t.dir==1?dn[0]:dn[1]);let Rn=null;
st.show&&dn&&(function(aa,ya,yn){for(ya=Fe(ya,0),yn=Fe(yn,aa.length-1);yn>=ya;){if(aa[ya]!=null)return!0;ya++}return!1})(tn,Pt,Lt)?(Rn=$t.fill(p,wn)||qe,Ct=st._paths.
clip):dn=null,$i(ge,ve,W,fe,Rn,wt,at,Be,Kt,Qt,Ct,dn),en=!0}})),en||$i(ge,ve,W,fe,qe,wt,at,Be,Kt,Qt)})(c,P,z,m.dash,m.cap,F,w,k,O,B,S),Le&&C.translate(-ie,-ie)}let ec=3;
function $i(c,h,m,w,k,S,O,P,F,z,B,ie){Vd(c,h,m,w,k),(F||z||ie)&&(C.save(),F&&C.clip(F),z&&C.clip(z)),ie?(P&ec)==ec?(C.clip(ie),B&&C.clip(B),tr(k,O),er(c,S,h)):2&
P?(tr(k,O),C.clip(ie),er(c,S,h)):1&P&&(C.save(),C.clip(ie),B&&C.clip(B),tr(k,O),C.restore(),er(c,S,h)):(tr(k,O),er(c,S,h)),(F||z||ie)&&C.restore()}function er(c,h,m){
m>0&&(h instanceof Map?h.forEach(((w,k)=>{C.strokeStyle=Qo=k,C.stroke(w)})):h!=null&&c&&C.stroke(h))}function tr(c,h){h instanceof Map?h.forEach(((m,w)=>{C.fillStyle=
ws=w,C.fill(m)})):h!=null&&c&&C.fill(h)}function gi(c,h,m,w,k,S,O,P,F,z){let B=O%2/2;Y==1&&C.translate(B,B),Vd(P,O,F,z,P),C.beginPath();let ie,Le,xe,ge,ve=k+(w==
0||w==3?-S:S);m==0?(Le=k,ge=ve):(ie=k,xe=ve);for(let W=0;c.length>W;W++)h[W]!=null&&(m==0?ie=xe=c[W]:Le=ge=c[W],C.moveTo(ie,Le),C.lineTo(xe,ge));C.stroke(),Y==1&&
C.translate(-B,-B)}function Th(c){let h=!0;return be.forEach(((m,w)=>{if(!m.show)return;let k=K[m.scale];if(k.min==null)return void(m._show&&(h=!1,m._show=!1,ys(
!1)));m._show||(h=!1,m._show=!0,ys(!1));let S=m.side,O=S%2,{min:P,max:F}=k,[z,B]=(function(W,fe,qe,wt){let at,Be=be[W];if(wt>0){let Kt=Be._space=Be.space(p,W,fe,
qe,wt);at=jh(fe,qe,Be._incrs=Be.incrs(p,W,fe,qe,wt,Kt),wt,Kt)}else at=[0,0];return Be._found=at})(w,P,F,O==0?je:V);if(B==0)return;let ie=m._splits=m.splits(p,w,
P,F,z,B,k.distr==2),Le=k.distr==2?ie.map((W=>zn[W])):ie,xe=k.distr==2?zn[ie[1]]-zn[ie[0]]:z,ge=m._values=m.values(p,m.filter(p,Le,w,B,xe),w,B,xe);m._rotate=S==2?
m.rotate(p,ge,w,B):0;let ve=m._size;m._size=jn(m.size(p,ge,w,c)),ve!=null&&m._size!=ve&&(h=!1)})),h}function Dh(c){let h=!0;return Gd.forEach(((m,w)=>{let k=m(p,
w,Ba,c);k!=$a[w]&&(h=!1),$a[w]=k})),h}function ys(c){U.forEach(((h,m)=>{m>0&&(h._paths=null,c&&(v==1?(h.min=null,h.max=null):h.facets.forEach((w=>{w.min=null,w.
max=null}))))}))}let bi,vi,xs,ks,tc,nc,_s,js,ac,sc,tt,dt,nr=!1,wi=!1,mo=[];function Rh(){wi=!1;for(let c=0;mo.length>c;c++)Nt(...mo[c]);mo.length=0}function Cs(){
nr||(Hp(oc),nr=!0)}function oc(){if(oi&&((function(){for(let w in K){let k=K[w];he[w]==null&&(k.min==null||he[G]!=null&&k.auto(p,fo))&&(he[w]=Zd)}for(let w in K){
let k=K[w];he[w]==null&&k.from!=null&&he[k.from]!=null&&(he[w]=Zd)}he[G]!=null&&ys(!0);let c={};for(let w in he){let k=he[w];if(k!=null){let S=c[w]=is(K[w],Np);
if(k.min!=null)_t(S,k);else if(w!=G||v==2)if(Jt==0&&S.from==null){let O=S.range(p,null,null,w);S.min=O[0],S.max=O[1]}else S.min=Ve,S.max=-Ve}}if(Jt>0){U.forEach(
((w,k)=>{if(v==1){let S=w.scale,O=he[S];if(O==null)return;let P=c[S];if(k==0){let F=P.range(p,P.min,P.max,S);P.min=F[0],P.max=F[1],Pt=En(P.min,u[0]),Lt=En(P.max,
u[0]),Lt-Pt>1&&(P.min>u[0][Pt]&&Pt++,u[0][Lt]>P.max&&Lt--),w.min=zn[Pt],w.max=zn[Lt]}else w.show&&w.auto&&mi(P,O,w,u[k],w.sorted);w.idxs[0]=Pt,w.idxs[1]=Lt}else if(k>
0&&w.show&&w.auto){let[S,O]=w.facets,P=S.scale,F=O.scale,[z,B]=u[k],ie=c[P],Le=c[F];ie!=null&&mi(ie,he[P],S,z,S.sorted),Le!=null&&mi(Le,he[F],O,B,O.sorted),w.min=
O.min,w.max=O.max}}));for(let w in c){let k=c[w],S=he[w];if(k.from==null&&(S==null||S.min==null)){let O=k.range(p,k.min==Ve?null:k.min,k.max==-Ve?null:k.max,w);
k.min=O[0],k.max=O[1]}}}for(let w in c){let k=c[w];if(k.from!=null){let S=c[k.from];if(S.min==null)k.min=k.max=null;else{let O=k.range(p,S.min,S.max,w);k.min=O[0],
k.max=O[1]}}}let h={},m=!1;for(let w in c){let k=c[w],S=K[w];if(S.min!=k.min||S.max!=k.max){S.min=k.min,S.max=k.max;let O=S.distr;S._min=O==3?Xn(S.min):O==4?Hr(
S.min,S.asinh):O==100?S.fwd(S.min):S.min,S._max=O==3?Xn(S.max):O==4?Hr(S.max,S.asinh):O==100?S.fwd(S.max):S.max,h[w]=m=!0}}if(m){U.forEach(((w,k)=>{v==2?k>0&&h.
y&&(w._paths=null):h[w.scale]&&(w._paths=null)}));for(let w in h)ms=!0,Nt("setScale",w);mt&&re.left>=0&&(Ha=Tn=!0)}for(let w in he)he[w]=null})(),oi=!1),ms&&((function(){
let c=!1,h=0;for(;!c;){h++;let m=Th(h),w=Dh(h);c=h==Sh||m&&w,c||(Ud(p.width,p.height),Yo=!0)}})(),ms=!1),Yo){if(Oe(Q,i,Xe),Oe(Q,"top",Bt),Oe(Q,n,je),Oe(Q,s,V),Oe(
J,i,Xe),Oe(J,"top",Bt),Oe(J,n,je),Oe(J,s,V),Oe(H,n,ea),Oe(H,s,za),E.width=Rt(ea*q),E.height=Rt(za*q),be.forEach((({_el:c,_show:h,_size:m,_pos:w,side:k})=>{if(c!=
null)if(h){let S=k%2==1;Oe(c,S?"left":"top",w-(k===3||k===0?m:0)),Oe(c,S?"width":"height",m),Oe(c,S?"top":"left",S?Bt:Xe),Oe(c,S?"height":"width",S?V:je),ft(c,e)}else
pt(c,e)})),Qo=ws=ii=di=ci=ui=pi=hi=li=null,ln=1,bo(!0),Xe!=Na||Bt!=ta||je!=Wa||V!=Ln){ys(!1);let c=je/Wa,h=V/Ln;if(mt&&!Ha&&re.left>=0){re.left*=c,re.top*=h,xs&&
_n(xs,Rt(re.left),0,je,V),ks&&_n(ks,0,Rt(re.top),je,V);for(let m=0;Dn.length>m;m++){let w=Dn[m];w!=null&&(bs[m]*=c,vs[m]*=h,_n(w,jn(bs[m]),jn(vs[m]),je,V))}}if(nt.
show&&!Zo&&nt.left>=0&&nt.width>0){nt.left*=c,nt.width*=c,nt.top*=h,nt.height*=h;for(let m in _i)Oe(Ss,m,nt[m])}Na=Xe,ta=Bt,Wa=je,Ln=V}Nt("setSize"),Yo=!1}ea>0&&
za>0&&(C.clearRect(0,0,E.width,E.height),Nt("drawClear"),_e.forEach((c=>c())),Nt("draw")),nt.show&&Zo&&(ar(nt),Zo=!1),mt&&Ha&&(Ga(null,!0,!1),Ha=!1),ce.show&&ce.
live&&Tn&&(xi(),Tn=!1),M||(M=!0,p.status=1,Nt("ready")),fo=!1,nr=!1}function yi(c,h){let m=K[c];if(m.from==null){if(Jt==0){let w=m.range(p,h.min,h.max,c);h.min=
w[0],h.max=w[1]}if(h.min>h.max){let w=h.min;h.min=h.max,h.max=w}if(Jt>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;c==G&&m.distr==2&&Jt>0&&(h.min=En(h.
min,u[0]),h.max=En(h.max,u[0]),h.min==h.max&&h.max++),he[c]=h,oi=!0,Cs()}}p.batch=function(c,h=!1){nr=!0,wi=h,c(p),oc(),h&&mo.length>0&&queueMicrotask(Rh)},p.redraw=
(c,h)=>{ms=h||!1,c!==!1?ba(G,ee.min,ee.max):Cs()},p.setScale=yi;let ga=!1,Gt=re.drag,Ft=Gt.x,zt=Gt.y;mt&&(re.x&&(bi=Yt("u-cursor-x",J)),re.y&&(vi=Yt("u-cursor-y",
J)),ee.ori==0?(xs=bi,ks=vi):(xs=vi,ks=bi),tt=re.left,dt=re.top);let nt=p.select=_t({show:!0,over:!0,left:0,width:0,top:0,height:0},l.select),Ss=nt.show?Yt("u-se\
lect",nt.over?J:Q):null;function ar(c,h){if(nt.show){for(let m in c)nt[m]=c[m],m in _i&&Oe(Ss,m,c[m]);h!==!1&&Nt("setSelect")}}function ba(c,h,m){yi(c,{min:h,max:m})}
function Bn(c,h,m,w){h.focus!=null&&(function(k){if(k!=Ja){let S=k==null,O=Un.alpha!=1;U.forEach(((P,F)=>{if(v==1||F>0){let z=S||F==0||F==k;P._focus=S?null:z,O&&
(function(B,ie){U[B].alpha=ie,mt&&Dn[B]!=null&&(Dn[B].style.opacity=ie),lt&&vn[B]&&(vn[B].style.opacity=ie)})(F,z?1:Un.alpha)}})),Ja=k,O&&Cs()}})(c),h.show!=null&&
U.forEach(((k,S)=>{0>=S||c!=S&&c!=null||(k.show=h.show,(function(O){if(U[O].show)lt&&ft(vn[O],e);else if(lt&&pt(vn[O],e),mt){let P=gs?Dn[0]:Dn[O];P!=null&&_n(P,
-10,-10,je,V)}})(S),v==2?(ba(k.facets[0].scale,null,null),ba(k.facets[1].scale,null,null)):ba(k.scale,null,null),Cs())})),m!==!1&&Nt("setSeries",c,h),w&&vo("set\
Series",p,c,h)}let na,va,Ja;p.setSelect=ar,p.setSeries=Bn,p.addBand=function(c,h){c.fill=Ee(c.fill||null),c.dir=Fe(c.dir,-1),oe.splice(h=h??oe.length,0,c)},p.setBand=
function(c,h){_t(oe[c],h)},p.delBand=function(c){c==null?oe.length=0:oe.splice(c,1)};let Ts={focus:!0};function Jn(c,h,m){let w=K[h];m&&(c=c/q-(w.ori==1?Bt:Xe));
let k=je;w.ori==1&&(k=V,c=k-c),w.dir==-1&&(c=k-c);let S=w._min,O=S+c/k*(w._max-S),P=w.distr;return P==3?os(10,O):P==4?((F,z=1)=>$n.sinh(F)*z)(O,w.asinh):P==100?
w.bwd(O):O}function rc(c,h){Oe(Ss,i,nt.left=c),Oe(Ss,n,nt.width=h)}function ic(c,h){Oe(Ss,"top",nt.top=c),Oe(Ss,s,nt.height=h)}lt&&$s&&on(N,Pn,(c=>{re._lock||(Ua(
c),Ja!=null&&Bn(null,Ts,!0,jt.setSeries))})),p.valToIdx=c=>En(c,u[0]),p.posToIdx=function(c,h){return En(Jn(c,G,h),u[0],Pt,Lt)},p.posToVal=Jn,p.valToPos=(c,h,m)=>K[h].
ori==0?_(c,K[h],m?Fn:je,m?Sn:0):x(c,K[h],m?qa:V,m?rn:0),p.setCursor=(c,h,m)=>{tt=c.left,dt=c.top,Ga(null,h,m)};let $o=ee.ori==0?rc:ic,go=ee.ori==1?rc:ic;function xi(c,h){
if(c!=null&&(c.idxs?c.idxs.forEach(((m,w)=>{Re[w]=m})):(m=>m===void 0)(c.idx)||Re.fill(c.idx),ce.idx=Re[0]),lt&&ce.live){for(let m=0;U.length>m;m++)(m>0||v==1&&
!Cn)&&Ah(m,Re[m]);(function(){if(lt&&ce.live)for(let m=v==2?1:0;U.length>m;m++){if(m==0&&Cn)continue;let w=ce.values[m],k=0;for(let S in w)ha[m][k++].firstChild.
nodeValue=w[S]}})()}Tn=!1,h!==!1&&Nt("setLegend")}function Ah(c,h){let m,w=U[c],k=c==0&&le==2?zn:u[c];Cn?m=w.values(p,c,h)??fa:(m=w.value(p,h==null?null:k[h],c,
h),m=m==null?fa:{_:m}),ce.values[c]=m}function Ga(c,h,m){let w;ac=tt,sc=dt,[tt,dt]=re.move(p,tt,dt),re.left=tt,re.top=dt,mt&&(xs&&_n(xs,Rt(tt),0,je,V),ks&&_n(ks,
0,Rt(dt),je,V)),na=Ve,va=null;let k=ee.ori==0?je:V,S=ee.ori==1?je:V;if(0>tt||Jt==0||Pt>Lt){w=re.idx=null;for(let O=0;U.length>O;O++){let P=Dn[O];P!=null&&_n(P,-10,
-10,je,V)}$s&&Bn(null,Ts,!0,c==null&&jt.setSeries),ce.live&&(Re.fill(w),Tn=!0)}else{let O,P,F;v==1&&(O=ee.ori==0?tt:dt,P=Jn(O,G),w=re.idx=En(P,u[0],Pt,Lt),F=me(
u[0][w],ee,k,0));let z=-10,B=-10,ie=0,Le=0,xe=!0,ge="",ve="";for(let W=v==2?1:0;U.length>W;W++){let fe=U[W],qe=Re[W],wt=qe==null?null:v==1?u[W][qe]:u[W][1][qe],
at=re.dataIdx(p,W,w,P),Be=at==null?null:v==1?u[W][at]:u[W][1][at];if(Tn=Tn||Be!=wt||at!=qe,Re[W]=at,W>0&&fe.show){let Kt=at==null?-10:at==w?F:me(v==1?u[0][at]:u[W][0][at],
ee,k,0),Qt=Be==null?-10:ze(Be,v==1?K[fe.scale]:K[fe.facets[1].scale],S,0);if($s&&Be!=null){let en=ee.ori==1?tt:dt,$t=Dt(Un.dist(p,W,at,Qt,en));if(na>$t){let wn=Un.
bias;if(wn!=0){let Ct=Jn(en,fe.scale),st=0>Ct?-1:1;st!=(0>Be?-1:1)||(st==1?wn==1?Ct>Be:Be>Ct:wn==1?Be>Ct:Ct>Be)||(na=$t,va=W)}else na=$t,va=W}}if(Tn||gs){let en,
$t;ee.ori==0?(en=Kt,$t=Qt):(en=Qt,$t=Kt);let wn,Ct,st,tn,dn,Rn,aa=!0,ya=Xt.bbox;if(ya!=null){aa=!1;let yn=ya(p,W);st=yn.left,tn=yn.top,wn=yn.width,Ct=yn.height}else
st=en,tn=$t,wn=Ct=Xt.size(p,W);if(Rn=Xt.fill(p,W),dn=Xt.stroke(p,W),gs)W!=va||na>Un.prox||(z=st,B=tn,ie=wn,Le=Ct,xe=aa,ge=Rn,ve=dn);else{let yn=Dn[W];yn!=null&&
(bs[W]=st,vs[W]=tn,as(yn,wn,Ct,aa),Po(yn,Rn,dn),_n(yn,jn(st),jn(tn),je,V))}}}}if(gs){let W=Un.prox;if(Tn||(Ja==null?W>=na:na>W||va!=Ja)){let fe=Dn[0];fe!=null&&
(bs[0]=z,vs[0]=B,as(fe,ie,Le,xe),Po(fe,ge,ve),_n(fe,jn(z),jn(B),je,V))}}}if(nt.show&&ga)if(c!=null){let[O,P]=jt.scales,[F,z]=jt.match,[B,ie]=c.cursor.sync.scales,
Le=c.cursor.drag;if(Ft=Le._x,zt=Le._y,Ft||zt){let xe,ge,ve,W,fe,{left:qe,top:wt,width:at,height:Be}=c.select,Kt=c.scales[B].ori,Qt=c.posToVal,en=O!=null&&F(O,B),
$t=P!=null&&z(P,ie);en&&Ft?(Kt==0?(xe=qe,ge=at):(xe=wt,ge=Be),ve=K[O],W=me(Qt(xe,B),ve,k,0),fe=me(Qt(xe+ge,B),ve,k,0),$o(In(W,fe),Dt(fe-W))):$o(0,k),$t&&zt?(Kt==
1?(xe=qe,ge=at):(xe=wt,ge=Be),ve=K[P],W=ze(Qt(xe,ie),ve,S,0),fe=ze(Qt(xe+ge,ie),ve,S,0),go(In(W,fe),Dt(fe-W))):go(0,S)}else ji()}else{let O=Dt(ac-tc),P=Dt(sc-nc);
if(ee.ori==1){let ie=O;O=P,P=ie}Ft=Gt.x&&O>=Gt.dist,zt=Gt.y&&P>=Gt.dist;let F,z,B=Gt.uni;B!=null?Ft&&zt&&(Ft=O>=B,zt=P>=B,Ft||zt||(P>O?zt=!0:Ft=!0)):Gt.x&&Gt.y&&
(Ft||zt)&&(Ft=zt=!0),Ft&&(ee.ori==0?(F=_s,z=tt):(F=js,z=dt),$o(In(F,z),Dt(z-F)),zt||go(0,S)),zt&&(ee.ori==1?(F=_s,z=tt):(F=js,z=dt),go(In(F,z),Dt(z-F)),Ft||$o(0,
k)),Ft||zt||($o(0,0),go(0,0))}if(Gt._x=Ft,Gt._y=zt,c==null){if(m){if(bc!=null){let[O,P]=jt.scales;jt.values[0]=O!=null?Jn(ee.ori==0?tt:dt,O):null,jt.values[1]=P!=
null?Jn(ee.ori==1?tt:dt,P):null}vo(y,p,tt,dt,je,V,w)}if($s){let O=m&&jt.setSeries,P=Un.prox;Ja==null?na>P||Bn(va,Ts,!0,O):na>P?Bn(null,Ts,!0,O):va!=Ja&&Bn(va,Ts,
!0,O)}}Tn&&(ce.idx=w,xi()),h!==!1&&Nt("setCursor")}p.setLegend=xi;let wa=null;function bo(c=!1){c?wa=null:(wa=J.getBoundingClientRect(),Nt("syncRect",wa))}function lc(c,h,m,w,k,S){
re._lock||ga&&c!=null&&c.movementX==0&&c.movementY==0||(ki(c,h,m,w,k,S,0,!1,c!=null),c!=null?Ga(null,!0,!0):Ga(h,!0,!1))}function ki(c,h,m,w,k,S,O,P,F){if(wa==null&&
bo(!1),Ua(c),c!=null)m=c.clientX-wa.left,w=c.clientY-wa.top;else{if(0>m||0>w)return tt=-10,void(dt=-10);let[z,B]=jt.scales,ie=h.cursor.sync,[Le,xe]=ie.values,[ge,
ve]=ie.scales,[W,fe]=jt.match,qe=h.axes[0].side%2==1,wt=ee.ori==0?je:V,at=ee.ori==1?je:V,Be=qe?S:k,Kt=qe?k:S,Qt=qe?w:m,en=qe?m:w;if(m=ge!=null?W(z,ge)?D(Le,K[z],
wt,0):-10:wt*(Qt/Be),w=ve!=null?fe(B,ve)?D(xe,K[B],at,0):-10:at*(en/Kt),ee.ori==1){let $t=m;m=w,w=$t}}!F||h!=null&&h.cursor.event.type!=y||(m>1&&je-1>m||(m=Pa(m,
je)),w>1&&V-1>w||(w=Pa(w,V))),P?(tc=m,nc=w,[_s,js]=re.move(p,m,w)):(tt=m,dt=w)}Object.defineProperty(p,"rect",{get:()=>(wa==null&&bo(!1),wa)});let _i={width:0,height:0,
left:0,top:0};function ji(){ar(_i,!1)}let dc,cc,uc,pc;function hc(c,h,m,w,k,S){ga=!0,Ft=zt=Gt._x=Gt._y=!1,ki(c,h,m,w,k,S,0,!0,!1),c!=null&&(on(b,kt,fc,!1),vo(A,
p,_s,js,je,V,null));let{left:O,top:P,width:F,height:z}=nt;dc=O,cc=P,uc=F,pc=z}function fc(c,h,m,w,k,S){ga=Gt._x=Gt._y=!1,ki(c,h,m,w,k,S,0,!1,!0);let{left:O,top:P,
width:F,height:z}=nt,B=F>0||z>0,ie=dc!=O||cc!=P||uc!=F||pc!=z;if(B&&ie&&ar(nt),Gt.setScale&&B&&ie){let Le=O,xe=F,ge=P,ve=z;if(ee.ori==1&&(Le=P,xe=z,ge=O,ve=F),Ft&&
ba(G,Jn(Le,G),Jn(Le+xe,G)),zt)for(let W in K){let fe=K[W];W!=G&&fe.from==null&&fe.min!=Ve&&ba(W,Jn(ge+ve,W),Jn(ge,W))}ji()}else re.lock&&(re._lock=!re._lock,Ga(
h,!0,c!=null));c!=null&&(fs(b,kt),vo(b,p,tt,dt,je,V,null))}function mc(c){re._lock||(Ua(c),fi(),ji(),c!=null&&vo(Z,p,tt,dt,je,V,null))}function $c(){be.forEach(
Ch),ri(p.width,p.height,!0)}mn(Se,gt,$c);let Ds={};Ds.mousedown=hc,Ds.mousemove=lc,Ds.mouseup=fc,Ds.dblclick=mc,Ds.setSeries=(c,h,m,w)=>{(m=(0,jt.match[2])(p,h,
m))!=-1&&Bn(m,w,!0,!1)},mt&&(on(A,J,hc),on(y,J,lc),on(T,J,(c=>{Ua(c),bo(!1)})),on(N,J,(function(c){if(re._lock)return;Ua(c);let h=ga;if(ga){let m,w,k=!0,S=!0,O=10;
ee.ori==0?(m=Ft,w=zt):(m=zt,w=Ft),m&&w&&(k=O>=tt||tt>=je-O,S=O>=dt||dt>=V-O),m&&k&&(tt=_s>tt?0:je),w&&S&&(dt=js>dt?0:V),Ga(null,!0,!0),ga=!1}tt=-10,dt=-10,Re.fill(
null),Ga(null,!0,!0),h&&(ga=h)})),on(Z,J,mc),ai.add(p),p.syncRect=bo);let sr=p.hooks=l.hooks||{};function Nt(c,h,m){wi?mo.push([c,h,m]):c in sr&&sr[c].forEach((w=>{
w.call(null,p,h,m)}))}(l.plugins||[]).forEach((c=>{for(let h in c.hooks)sr[h]=(sr[h]||[]).concat(c.hooks[h])}));let gc=(c,h,m)=>m,jt=_t({key:null,setSeries:!1,filters:{
pub:Hl,sub:Hl},scales:[G,U[1]?U[1].scale:null],match:[Ul,Ul,gc],values:[null,null]},re.sync);jt.match.length==2&&jt.match.push(gc),re.sync=jt;let bc=jt.key,Ci=Sd(
bc);function vo(c,h,m,w,k,S,O){jt.filters.pub(c,h,m,w,k,S,O)&&Ci.pub(c,h,m,w,k,S,O)}function Si(){Nt("init",l,u),Kd(u||l.data,!1),he[G]?yi(G,he[G]):fi(),Zo=nt.show&&
(nt.width>0||nt.height>0),Ha=Tn=!0,ri(l.width,l.height)}return Ci.sub(p),p.pub=function(c,h,m,w,k,S,O){jt.filters.sub(c,h,m,w,k,S,O)&&Ds[c](null,h,m,w,k,S,O)},p.
destroy=function(){Ci.unsub(p),ai.delete(p),ma.clear(),ss(Se,gt,$c),R.remove(),Pn?.remove(),Nt("destroy")},U.forEach(Jd),be.forEach((function(c,h){if(c._show=c.
show,c.show){let m=K[c.scale];m==null&&(c.scale=c.side%2?U[1].scale:G,m=K[c.scale]);let w=m.time;c.size=Ee(c.size),c.space=Ee(c.space),c.rotate=Ee(c.rotate),pa(
c.incrs)&&c.incrs.forEach((S=>{!ua.has(S)&&ua.set(S,Jl(S))})),c.incrs=Ee(c.incrs||(m.distr==2?Yp:w?pe==1?Zp:eh:La)),c.splits=Ee(c.splits||(w&&m.distr==1?At:m.distr==
3?Xr:m.distr==4?ih:rh)),c.stroke=Ee(c.stroke),c.grid.stroke=Ee(c.grid.stroke),c.ticks.stroke=Ee(c.ticks.stroke),c.border.stroke=Ee(c.border.stroke);let k=c.values;
c.values=pa(k)&&!pa(k[0])?Ee(k):w?pa(k)?dd(Me,ld(k,it)):Kl(k)?(function(S,O){let P=Jr(O);return(F,z)=>z.map((B=>P(S(B))))})(Me,k):k||Ze:k||oh,c.filter=Ee(c.filter||
(3>m.distr||m.log!=10?m.distr==3&&m.log==2?uh:ql:ch)),c.font=Hd(c.font),c.labelFont=Hd(c.labelFont),c._size=c.size(p,null,h,0),c._space=c._rotate=c._incrs=c._found=
c._splits=c._values=null,c._size>0&&(Ba[h]=!0,c._el=Yt("u-axis",H))}})),$?$ instanceof HTMLElement?($.appendChild(R),Si()):$(p,Si):Si(),p}Zt.assign=_t,Zt.fmtNum=
qr,Zt.rangeNum=zo,Zt.rangeLog=Fo,Zt.rangeAsinh=Nr,Zt.orient=Fa,Zt.pxRatio=q,Zt.join=function(l,u){if((function(x){let D=x[0][0],M=D.length;for(let R=1;x.length>
R;R++){let E=x[R][0];if(E.length!=M)return!1;if(E!=D){for(let C=0;M>C;C++)if(E[C]!=D[C])return!1}}return!0})(l)){let x=l[0].slice();for(let D=1;l.length>D;D++)x.
push(...l[D].slice(1));return(function(D,M=100){let R=D.length;if(1>=R)return!0;let E=0,C=R-1;for(;C>=E&&D[E]==null;)E++;for(;C>=E&&D[C]==null;)C--;if(E>=C)return!0;
let H=sn(1,gn((C-E+1)/M));for(let Q=D[E],J=E+H;C>=J;J+=H){let Y=D[J];if(Y!=null){if(Q>=Y)return!1;Q=Y}}return!0})(x[0])||(x=(function(D){let M=D[0],R=M.length,E=Array(
R);for(let H=0;E.length>H;H++)E[H]=H;E.sort(((H,Q)=>M[H]-M[Q]));let C=[];for(let H=0;D.length>H;H++){let Q=D[H],J=Array(R);for(let Y=0;R>Y;Y++)J[Y]=Q[E[Y]];C.push(
J)}return C})(x)),x}let $=new Set;for(let x=0;l.length>x;x++){let D=l[x][0],M=D.length;for(let R=0;M>R;R++)$.add(D[R])}let p=[Array.from($).sort(((x,D)=>x-D))],
v=p[0].length,_=new Map;for(let x=0;v>x;x++)_.set(p[0][x],x);for(let x=0;l.length>x;x++){let D=l[x],M=D[0];for(let R=1;D.length>R;R++){let E=D[R],C=Array(v).fill(
void 0),H=u?u[x][R]:1,Q=[];for(let J=0;E.length>J;J++){let Y=E[J],ye=_.get(M[J]);Y===null?H!=0&&(C[ye]=Y,H==2&&Q.push(ye)):C[ye]=Y}qp(C,Q,v),p.push(C)}}return p},
Zt.fmtDate=Jr,Zt.tzDate=function(l,u){let $;return u=="UTC"||u=="Etc/UTC"?$=new Date(+l+6e4*l.getTimezoneOffset()):u==Kp?$=l:($=new Date(l.toLocaleString("en-US",
{timeZone:u})),$.setMilliseconds(l.getMilliseconds())),$},Zt.sync=Sd;{Zt.addGap=function(u,$,p){let v=u[u.length-1];v&&v[0]==$?v[1]=p:u.push([$,p])},Zt.clipGaps=
Jo;let l=Zt.paths={points:Ed};l.linear=Pd,l.stepped=function(u){let $=Fe(u.align,1),p=Fe(u.ascDesc,!1),v=Fe(u.alignGaps,0),_=Fe(u.extend,!1);return(x,D,M,R)=>Fa(
x,D,((E,C,H,Q,J,Y,ye,pe,U,be,K)=>{[M,R]=Lo(H,M,R);let oe=E.pxRound,{left:G,width:ke}=x.bbox,_e=Re=>oe(Y(Re,Q,be,pe)),De=Re=>oe(ye(Re,J,K,U)),Ae=Q.ori==0?ds:cs,ee={
stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},le=ee.stroke,me=Q.dir*(Q.ori==0?1:-1),ze=De(H[me==1?M:R]),he=_e(C[me==1?M:R]),Me=he,it=he;_&&
$==-1&&(it=G,Ae(le,it,ze)),Ae(le,he,ze);for(let Re=me==1?M:R;Re>=M&&R>=Re;Re+=me){let ce=H[Re];if(ce==null)continue;let re=_e(C[Re]),lt=De(ce);$==1?Ae(le,re,ze):
Ae(le,Me,lt),Ae(le,re,lt),ze=lt,Me=re}let At=Me;_&&$==1&&(At=G+ke,Ae(le,At,ze));let[Ze,Ut]=ei(x,D);if(E.fill!=null||Ze!=0){let Re=ee.fill=new Path2D(le),ce=De(E.
fillTo(x,D,E.min,E.max,Ze));Ae(Re,At,ce),Ae(Re,it,ce)}if(!E.spanGaps){let Re=[];Re.push(...ti(C,H,M,R,me,_e,v));let ce=E.width*q/2,re=p||$==1?ce:-ce,lt=p||$==-1?
-ce:ce;Re.forEach((mt=>{mt[0]+=re,mt[1]+=lt})),ee.gaps=Re=E.gaps(x,D,M,R,Re),ee.clip=Jo(Re,Q.ori,pe,U,be,K)}return Ut!=0&&(ee.band=Ut==2?[Qn(x,D,M,R,le,-1),Qn(x,
D,M,R,le,1)]:Qn(x,D,M,R,le,Ut)),ee}))},l.bars=function(u){let $=Fe((u=u||lo).size,[.6,Ve,1]),p=u.align||0,v=u.gap||0,_=u.radius;_=_==null?[0,0]:typeof _=="numbe\
r"?[_,0]:_;let x=Ee(_),D=1-$[0],M=Fe($[1],Ve),R=Fe($[2],1),E=Fe(u.disp,lo),C=Fe(u.each,(()=>{})),{fill:H,stroke:Q}=E;return(J,Y,ye,pe)=>Fa(J,Y,((U,be,K,oe,G,ke,_e,De,Ae,ee,le)=>{
let me,ze,he=U.pxRound,Me=p,it=v*q,At=M*q,Ze=R*q;oe.ori==0?[me,ze]=x(J,Y):[ze,me]=x(J,Y);let Ut=oe.dir*(oe.ori==0?1:-1),Re,ce,re,lt=oe.ori==0?Vo:ni,mt=oe.ori==0?
C:(V,Xe,Bt,Na,ta,Wa,Ln)=>{C(V,Xe,Bt,ta,Na,Ln,Wa)},bt=Fe(J.bands,Br).find((V=>V.series[0]==Y)),Pn=U.fillTo(J,Y,U.min,U.max,bt!=null?bt.dir:0),us=he(_e(Pn,G,le,Ae)),
bn=ee,vt=he(U.width*q),vn=!1,ha=null,Cn=null,fa=null,ps=null;H==null||vt!=0&&Q==null||(vn=!0,ha=H.values(J,Y,ye,pe),Cn=new Map,new Set(ha).forEach((V=>{V!=null&&
Cn.set(V,new Path2D)})),vt>0&&(fa=Q.values(J,Y,ye,pe),ps=new Map,new Set(fa).forEach((V=>{V!=null&&ps.set(V,new Path2D)}))));let{x0:hs,size:po}=E;if(hs!=null&&po!=
null){Me=1,be=hs.values(J,Y,ye,pe),hs.unit==2&&(be=be.map((Xe=>J.posToVal(De+Xe*ee,oe.key,!0))));let V=po.values(J,Y,ye,pe);ce=po.unit==2?V[0]*ee:ke(V[0],oe,ee,
De)-ke(0,oe,ee,De),bn=Ld(be,K,ke,oe,ee,De,bn),re=bn-ce+it}else bn=Ld(be,K,ke,oe,ee,De,bn),re=bn*D+it,ce=bn-re;1>re&&(re=0),ce/2>vt||(vt=0),5>re&&(he=Wl);let ma=re>
0;ce=he(Ur(bn-re-(ma?vt:0),Ze,At)),Re=(Me==0?ce/2:Me==Ut?0:ce)-Me*Ut*((Me==0?it/2:0)+(ma?vt/2:0));let on={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},
fs=vn?null:new Path2D,ea=null;if(bt!=null)ea=J.data[bt.series[1]];else{let{y0:V,y1:Xe}=E;V!=null&&Xe!=null&&(K=Xe.values(J,Y,ye,pe),ea=V.values(J,Y,ye,pe))}let za=me*
ce,je=ze*ce;for(let V=Ut==1?ye:pe;V>=ye&&pe>=V;V+=Ut){let Xe=K[V];if(Xe==null)continue;if(ea!=null){let rn=ea[V]??0;if(Xe-rn==0)continue;us=_e(rn,G,le,Ae)}let Bt=ke(
oe.distr!=2||E!=null?be[V]:V,oe,ee,De),Na=_e(Fe(Xe,Pn),G,le,Ae),ta=he(Bt-Re),Wa=he(sn(Na,us)),Ln=he(In(Na,us)),Sn=Wa-Ln;if(Xe!=null){let rn=0>Xe?je:za,Fn=0>Xe?za:
je;vn?(vt>0&&fa[V]!=null&&lt(ps.get(fa[V]),ta,Ln+gn(vt/2),ce,sn(0,Sn-vt),rn,Fn),ha[V]!=null&&lt(Cn.get(ha[V]),ta,Ln+gn(vt/2),ce,sn(0,Sn-vt),rn,Fn)):lt(fs,ta,Ln+
gn(vt/2),ce,sn(0,Sn-vt),rn,Fn),mt(J,Y,V,ta-vt/2,Ln,ce+vt,Sn)}}return vt>0?on.stroke=vn?ps:fs:vn||(on._fill=U.width==0?U._fill:U._stroke??U._fill,on.width=0),on.
fill=vn?Cn:fs,on}))},l.spline=function(u){return(function($,p){let v=Fe(p?.alignGaps,0);return(_,x,D,M)=>Fa(_,x,((R,E,C,H,Q,J,Y,ye,pe,U,be)=>{[D,M]=Lo(C,D,M);let K,
oe,G,ke=R.pxRound,_e=Ze=>ke(J(Ze,H,U,ye)),De=Ze=>ke(Y(Ze,Q,be,pe));H.ori==0?(K=Go,G=ds,oe=Md):(K=Ko,G=cs,oe=Od);let Ae=H.dir*(H.ori==0?1:-1),ee=_e(E[Ae==1?D:M]),
le=ee,me=[],ze=[];for(let Ze=Ae==1?D:M;Ze>=D&&M>=Ze;Ze+=Ae)if(C[Ze]!=null){let Ut=_e(E[Ze]);me.push(le=Ut),ze.push(De(C[Ze]))}let he={stroke:$(me,ze,K,G,oe,ke),
fill:null,clip:null,band:null,gaps:null,flags:1},Me=he.stroke,[it,At]=ei(_,x);if(R.fill!=null||it!=0){let Ze=he.fill=new Path2D(Me),Ut=De(R.fillTo(_,x,R.min,R.max,
it));G(Ze,le,Ut),G(Ze,ee,Ut)}if(!R.spanGaps){let Ze=[];Ze.push(...ti(E,C,D,M,Ae,_e,v)),he.gaps=Ze=R.gaps(_,x,D,M,Ze),he.clip=Jo(Ze,H.ori,ye,pe,U,be)}return At!=
0&&(he.band=At==2?[Qn(_,x,D,M,Me,-1),Qn(_,x,D,M,Me,1)]:Qn(_,x,D,M,Me,At)),he}))})(bh,u)}}return Zt})(),Dr=gf;function Us(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var sl="11px system-ui, sans-serif",Su=(e,t,n=52)=>({stroke:Us(
"--ink-faint",e),font:sl,size:n,values:t,grid:{stroke:Us("--line",e),width:1},ticks:{show:!1}}),bf=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function vf(e,t,n){let{ctx:s}=e,{left:o,top:r,width:i,height:d}=e.bbox,g=f=>Math.min(Math.max(f,o),o+i);s.save();for(let f of t){let y=e.valToPos(Date.parse(f.at)/
1e3,"x",!0);if(f.kind==="outage"){let A=f.until?e.valToPos(Date.parse(f.until)/1e3,"x",!0):o+i;s.fillStyle=Us("--bad-soft",n),s.fillRect(g(y),r,Math.max(g(A)-g(
y),devicePixelRatio),d)}else y>=o&&y<=o+i&&(s.strokeStyle=Us("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(y,r),s.lineTo(y,r+d),s.stroke())}s.restore()}function wf({marks:e,from:t,to:n}){let s=i=>(i.kind==="start"?Date.parse(i.at):i.until?Date.
parse(i.until):ct())/1e3,o=e.filter(i=>s(i)>=t&&Date.parse(i.at)/1e3<=n);if(o.length===0)return null;let r=Object.values(Object.groupBy(o,i=>i.kind+i.says)).sort(
(i,d)=>Date.parse(i.at(-1).at)-Date.parse(d.at(-1).at));return a`<ul class="marks small soft">${r.length>4&&a`<li>and ${L(r.length-4,"earlier event")}</li>`}${r.
slice(-4).map(i=>[i.length,i.at(-1)]).map(([i,d])=>a`<li><i class=${d.kind}></i><span class="nowrap" title=${Wt(d.at)}>${cn(d.at)}</span> ${d.says}${d.kind==="o\
utage"&&(d.until?` for ${pn((Date.parse(d.until)-Date.parse(d.at))/1e3)}`:", still")}${i>1&&`; ${i===2?"once":`${j(i-1)} times`} before`}</li>`)}</ul>`}function yf(e,t){
let n=600-(t-e);return n>0&&e!=null?[e-n/2,t+n/2]:[e,t]}function Ra({data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:i,counts:d,marks:g}){let f=Mt(g);
f.current=g;let y=Mt(null),A=Mt(null),b=()=>{let T=y.current;A.current?.destroy(),A.current=new Dr({tzDate:N=>An()?Dr.tzDate(new Date(N*1e3),"UTC"):new Date(N*1e3),
width:T.clientWidth,height:n,padding:[8,22,0,0],cursor:{points:{size:6},y:!1},legend:{live:!0},scales:{x:{range:(N,Z,ue)=>yf(Z,ue)},y:{range:(N,Z,ue)=>[Math.min(
0,Z??0),Math.max(ue??0,r)*1.1]}},hooks:{drawClear:[N=>vf(N,f.current??[],T)]},axes:[{...Su(T),size:46,space:70,label:Ms(),labelSize:14,labelGap:0,labelFont:sl,values:(N,Z,ue,Se,ae)=>Yc(
Z,ae)},{...Su(T,(N,Z)=>Z.map(s??String),i?66:52),...d?{incrs:bf}:{},...i?{label:i,labelSize:16,labelGap:0,labelFont:sl}:{}}],series:[{value:(N,Z)=>Z?Wt(Z*1e3):""},
...t.map(([N,Z,ue])=>({label:N,stroke:Us(Z,T),width:1.75,points:{show:!1},value:(Se,ae)=>ae==null?"":(s??String)(ae),...ue,...ue?.filled?{fill:Us(ue.filled,T)}:
{}}))]},e,T)};return we(()=>{b();let T=new ResizeObserver(()=>{A.current&&y.current&&A.current.width!==y.current.clientWidth&&A.current.setSize({width:y.current.
clientWidth,height:n})});T.observe(y.current);let N=Sr(b);return()=>{T.disconnect(),N(),A.current?.destroy()}},[]),we(()=>{A.current?.setData(e)},[e]),we(()=>{A.
current?.redraw(!1)},[g]),a`<div class="chart" ref=${y} role="img" aria-label=${o}></div>
    ${g?.length>0&&a`<${wf} marks=${g} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,ct()/1e3-60)} />`}`}var ol=()=>Dr.paths.bars({size:[.7,26],radius:.15});var xf={done:"good",held:"warn",approved:"good",rejected:""},Bs=({is:e})=>a`<span class="badge ${xf[e]??""}">${e}</span>`,kf={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},_f={unknown:"cannot decide",none:"unchanged"},Js=({is:e})=>a`<span class="badge ${kf[e]??""}">${_f[e]??
e}</span>`,Gs=e=>e.from===e.to?`${e.from} ${e.currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function Ks(e){let t=new Map;for(let n of e){let s=n.action===
"unknown",o=n.level||s?["",n.date,n.rule,n.level,n.action,n.wants,n.guard,n.left,n.bidding?.field,(s||!n.bidding)&&n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(o)?t.get(o).parts.push(n):t.set(o,n.level||s?{...n,key:o,parts:[n]}:{...n,key:o})}return[...t.values()].map(n=>!n.level&&n.parts?.length===1?{...n,parts:void 0}:
n)}var Vs=e=>(e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,""):e.reason).replace(/^(unknown|would [^:]+, and waits for approval): /,
"");function Aa({d:e}){if(e.parts){let n=e.bidding?[`${xn[e.bidding.field]}`,`${xn[e.bidding.field]}s`]:["creative"],s=L(new Set(e.parts.map(o=>o.campaign)).size,
"campaign");return a`<details><summary>${!e.bidding&&e.parts.some(o=>!o.creative)?s:`${L(e.parts.length,...n)} of ${s}`}</summary>${e.parts.map(o=>a`<div key=${o.
key}><${Aa} d=${o} /></div>`)}</details>`}let t=a`<div class="note"><a href=${ne("campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${ne(
"rules","why",e.campaign)}>${xn[e.bidding.field]}</a>${(e.action!=="unknown"||e.bidding.from>0)&&a`<div class="note">${Gs(e.bidding)}</div>`}${t}`:e.creative?a`<a class="id" href=${ne(
"rules","why",e.creative)}>${e.creative}</a>${t}`:a`<a class="id" href=${ne("campaigns",e.campaign)}>${e.campaign}</a>`}var jf=["pause","resume","decrease","inc\
rease","held","notify","unknown","none"],Tu={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:["notice"],none:["unchanged","\
unchanged"]},To=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),Do=e=>e.warnings?.some(t=>t.code==="stopped");function Cf({counts:e,
state:t,guards:n={}},s,o,r){let i=r?[`${j(s)} ${t==="held"?`${s===1?"waits":"wait"} for approval`:t}`,o&&`${j(o)} dropped`]:[],d=Object.keys(Ps).filter(f=>n[f]&&
!jr[f]&&f!=="cap");if(d.length===1&&n[d[0]]===e.held)return` by ${Ps[d[0]]}`;let g=[...i.filter(Boolean),...d.map(f=>`${j(n[f])} by ${Ps[f]}`)];return g.length?
` (${g.join(", ")})`:""}function Ma(e,t){let{counts:n,state:s,leftOut:o}=e,r=o?.length??0,i=Ls(e)-r,d=s!=="done"&&(i!==n?.held||To(e)>0),g=y=>y==="unknown"?`can\
not decide on ${j(n[y])}`:Tu[y]?L(n[y],...Tu[y]):`${j(n[y])} ${y}${Cf(e,i,r,d)}`,f=jf.filter(y=>n?.[y]&&(t||y!=="none")).map(g);for(let y in jr)e.guards?.[y]&&f.
push(`${j(e.guards[y])} ${jr[y]}`);return Do(e)&&!e.guards?.stop&&f.push("held back by the stop switch"),f.length?f.join(", "):"nothing to do"}var Rr=e=>`would ${e.
wants}${e.left?", left out of the approval":Ps[e.guard]?`, held by ${Ps[e.guard]}`:""}`;function Du(e){let t=e.decision,n=t.bidding?`the ${xn[t.bidding.field]}`:
"it";return t.action==="unknown"?"could not decide":t.action==="none"?t.guard==="hands_off"?`left ${n} alone`:`did not change ${n}`:t.action==="notify"?`would ${t.
wants} ${n}, but only notifies`:t.action!=="held"?`decided to ${t.action} ${n}`:t.left?`wanted to ${t.wants} ${n}, and ${e.by||"somebody"} approved the run with\
out that`:Ca(t)&&e.state==="held"?`wants to ${t.wants} ${n}, and waits for approval`:Ca(t)&&e.state==="rejected"?`wanted to ${t.wants} ${n}, and ${e.by||"somebo\
dy"} rejected that`:`wanted to ${t.wants} ${n}, but did not`}function Xa({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.map(([
n,s])=>a`<span class="tag">${n} ${un(s)}</span> `)}</div>`:null}function Ys({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.
by} <${X} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:null}var Sf=new Intl.Collator("en",{numeric:!0}),Tf=(e,t)=>typeof e=="number"?e-t:Sf.compare(e,t);function Ru(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(Mn().params[n]??""),
r=e.find(d=>d.key===o&&d.value);return[nn(()=>{if(!r)return t;let d=t.filter(g=>r.value(g)!=null).sort((g,f)=>Tf(r.value(g),r.value(f)));return[...s?d.reverse():
d,...t.filter(g=>r.value(g)==null)]},[t,o,s]),e.map(d=>a`<${Df} key=${d.key} c=${d} name=${n} way=${d===r?s?"descending":"ascending":"none"} />`)]}function Df({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>Qe(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Zs({columns:e,rows:t,id:n,href:s,
label:o}){let[r,i]=Ru(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${i}</tr></thead><tbody>
    ${r.map(d=>a`<tr key=${n(d)} data-href=${s?.(d)}>${e.map(g=>a`<td class=${`${g.num?"num":""} ${g.look??""}`} data-name=${g.card===!1?void 0:g.title}>${g.cell(
d)}</td>`)}</tr>`)}</tbody></table>`}var Rf=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function rt({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[i,d]=Ru(e.map(([g,f,y,A])=>({key:Rf(g),title:g,value:f,num:y,meaning:A})),t,n);return a`<table class=${s}><thead><tr>${o}${d}</tr></thead><tbody>${i.
map(r)}</tbody></table>`}var Ar=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),Et=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:Ar(e.target),rl=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${j(e.added)}</span> <span class=${e.large?"bad-ink":e.removed?"":"faint"}>−${j(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
il=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every,Ro=e=>e==="failed"||e==="cancelled";function ll({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.blind?a`<span class="badge bad">blind</span> <span class="small"><${Ya} at=${e.blind} /></span>`:e.late?
a`<span class="badge bad">late</span> <span class="small"><${Ya} at=${e.late} /></span>`:Ro(e.jobState)?a`<span class="badge ${e.jobState==="failed"?"bad":"warn"}">last job ${e.
jobState}</span>`:e.next?a`next export by ${gr(e.next)}`:a`<span class="soft">looks ${il(e)}</span>`:a`<span class="faint">no feed</span>`}var Af=[{key:"name",title:"\
Audience",card:!1,value:e=>Et(e),cell:e=>a`<a class="id" href=${ne("audiences",e.target)}>${Et(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.level===
"bad"?"bad-ink":""}"><${xt} text=${t.says} /></div>`)}`},{key:"size",title:"Ids",num:!0,value:e=>e.size,meaning:We.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:
a`<b>${j(e.size)}</b><div class="note">${e.sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:We.change,
value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${rl} c=${e.last} />${e.last&&a`<div class="note"><${X} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Expi\
ry",num:!0,value:e=>e.expiry,meaning:"Days after which a member leaves the segment unless it is uploaded again",cell:e=>e.expiry?L(e.expiry,"day"):a`<span class="faint none">–</span>`},
{key:"feed",title:"Feed",value:e=>e.feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${ll} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",
num:!0,value:e=>e.ledger&&Date.parse(e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${X} at=${e.ledger.at} />${e.
ledger.changed&&a`<div class="note">changed since</div>`}`:a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:We.open,
cell:e=>e.open?j(e.open):a`<span class="faint">0</span>`}],Mf={title:"Audiences",sub:"The segments and device lists that jobs and feeds fill: how large they are\
, what changed last, and what is wrong.",none:"No audiences yet",hint:"A segment appears here with its first job or feed."},Of={title:"Feeds",sub:"The places th\
at usher watches for new exports, each with the audience that it fills. An audience's page has its feed, and what to do with a held export.",none:"No feeds",hint:"\
Feeds are written in files, which whoever runs usher lists in its configuration.",only:e=>e.feed},Au=({params:e})=>a`<${Ou} params=${e} about=${Mf} />`,Mu=({params:e})=>a`<${Ou} params=${e} about=${Of} />`;
function Ou({params:e,about:t}){let n=$e("/api/audiences",["audiences","letters"]);return a`<${Je} title=${t.title} acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub=${t.
sub}>
    <${ot} result=${n}>${s=>{let{looking:o}=s,r=s.audiences.filter(t.only??(()=>!0)),i=r.filter(y=>y.problems.length>0),d=(e.text??"").toLowerCase(),g=(e.only===
"problems"?i:r).filter(y=>`${Et(y)} ${Ar(y.target)} ${y.feed?.name??""}`.toLowerCase().includes(d)),f=r.length?["No audience matches","Remove a filter to see ot\
hers."]:o&&!t.only?["No audience found so far","Older jobs are being read."]:[t.none,t.hint];return a`<div class="filters"><${On} label="Search audience or feed …" value=${e.
text} onText=${y=>Qe({text:y})} />
        <${Ta} label="Which" value=${e.only} onPick=${y=>Qe({only:y})} options=${[["","All",Ns(r.length,o)],["problems","With problems",i.length]]} /></div>
        <${te} flush>${g.length===0?a`<${Te} title=${f[0]}>${f[1]}<//>`:a`<${Zs} label=${t.title} columns=${Af} rows=${g} params=${e} id=${y=>y.target} href=${y=>ne(
"audiences",y.target)} /><div class="foot">${L(g.length,"audience")}</div>`}<${zs} l=${o} /><//>`}}<//>
  <//>`}var Mr=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Oa=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function Ef({tally:e}){let t=e.read||1,n=Mr.filter(([s])=>Oa(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${j(Oa(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${Mr.map(([s])=>Oa(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Oa(e[s])/t}}></i>`)}
  </div>`}function Eu({tally:e,dryRun:t}){let n=Mr.reduce((s,[o])=>s+Oa(e[o]),0);return a`<${Ef} tally=${e} />
    <div class="legend">
      ${Mr.filter(([s])=>s==="accepted"||Oa(e[s])>0).map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${j(Oa(e[s]))}</b>
        ${typeof e[s]=="object"&&Oa(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,i)=>i[1]-r[1]).map(([r,i])=>a`<span>${la(r)}<span>${j(i)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${j(n)}</b> ${n===e.read?a`<span class="good-ink">= ${L(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${L(e.read,"row")} read: please report this</span>`}</span></div>`}var If={queued:"queued",running:"running",retrying:"waiting for the next attempt"},dl=e=>["done","failed","cancelled"].includes(e);function Pf(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let i=r.map(A=>({state:A.state,at:Date.parse(A.at)}));o===1&&Date.parse(
e.submitted)<i[0].at&&i.unshift({state:"queued",at:Date.parse(e.submitted)});let d=i.at(-1),g=dl(d.state)?d.at:Math.max(n,d.at),f=0,y=i.filter(A=>!dl(A.state)).
map((A,b)=>(A.state==="running"&&i[b-1]?.state!=="running"&&f++,{...A,attempt:f,long:((i[b+1]?.at??g)-A.at)/1e3}));return{run:o,phases:Lf(y),from:i[0].at,to:g,end:dl(
d.state)?d.state:""}})}function Lf(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var cl=e=>If[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${j(e.attempt)}`:"");function Ff({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let i=Math.max((s-n)/1e3,.001),d=t.map(
g=>`${cl(g)} ${pn(g.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${j(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${d}${o?`; ended ${o}`:""}`}>${t.map((g,f)=>a`<i key=${f} class=${g.state} style=${{flexGrow:Math.max(g.long/i,
.01)}} title=${`${cl(g)}: ${pn(g.long)}`}></i>`)}${o&&a`<b class=${nl(o)}></b>`}</div>
    <div class="ends small faint"><span title=${Wt(n)}>${cn(n)}</span><span>${o||"now"} after ${pn(i)}</span></div>
    <ul class="small soft">${t.slice(0,12).map(g=>a`<li><i class="dot ${g.state}"></i>${cl(g)} <b>${pn(g.long)}</b></li>`)}${t.length>12&&a`<li>and ${j(t.length-
12)} more phases</li>`}</ul></figure>`}function Iu({r:e,history:t}){let n=Fs(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=Pf(e,s,n),r=s.filter(i=>i.
error).slice(-5);return a`<${te} title="Timeline">
    ${o.slice(-6).map(i=>a`<${Ff} key=${i.run} r=${i} many=${o.length>1||i.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${j(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(i=>a`<div class="small break"><span class="bad-ink" title=${i.error.class}>${qt(i.error.class)}</span> <${X} at=${i.at} /></div>`)}<//>`}var zf=["source.column","source.only","source.disregard","input","source.delimiter","source.encoding","maxRejectPercent"],Xs=["force","acceptChange","dryRun"];function Qs(e,t=""){
return Object.entries(e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?Qs(s,t+n+"."):[[t+n,s]])}var Zn=e=>e===void 0?"not set":e===!0?"yes":e===
!1?"no":Array.isArray(e)?e.map(Zn).join(", "):typeof e=="object"&&e?Qs(e).map(([t,n])=>`${t} ${Zn(n)}`).join(", "):String(e),ul=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],
e);function Lu(e,t){return e.length!==1?[]:e[0].remedies.map(n=>n.filter(s=>!(Xs.includes(s.field)&&String(ul(t,s.field))===s.value))).filter(n=>n.length)}function Nf(e,t,n){
let[s]=e,o=Lu(e,n),r=ja[s?.class]??{};if(o.length&&s.class!=="source_missing"){let[d]=o[0];return d.field==="source.disregard"?[]:o.slice(1).some(([g])=>g.field===
d.field)?[{...d,open:!0}]:o[0]}if(e.length!==1)return[];let i=r.field??t.find(d=>s.class==="invalid_job"&&s.message?.includes("/"+d.replaceAll(".","/")));return i?
[{field:i,value:r.value??"",open:!r.value}]:[]}function Qa({cause:e,filter:t,onClose:n,onDone:s=()=>{}}){let[o,r]=I(null),[i,d]=I(""),[g,f]=I(""),[y,A]=I([]),[b,
T]=I(""),[N,Z]=I(!1),[ue,Se]=I(""),[ae,ut]=I(null),[kt,gt]=I(""),[an,q]=I(!1),[ht,pt]=I(!1),ft=o?.causes??[],Oe=i==="acceptChange"&&ft.length===1&&/"force": true, which removes ([\d,]+ of the members)/.
exec(ft[0].hint??"")?.[1],It=i&&g.trim()?{[i]:g.trim(),...Object.fromEntries(y.map(se=>[se.field,se.value])),...Oe&&ht?{force:"true"}:{}}:{},Yt=se=>{let[Ht,...mn]=se;
d(Ht?.field??""),f(Ht&&!Ht.open?Ht.value:""),A(mn.filter(ss=>!ss.open&&!Xs.includes(ss.field)))};we(()=>{let se=!1;return Pe("/api/letters/plan",{filter:t}).then(
Ht=>{se||(r(Ht),Yt(Nf(Ht.causes,Pu(Ht),Ht.sample[0]?.before)))},Ht=>se||gt(Ht.message)),()=>{se=!0}},[]),we(()=>{i&&document.querySelector("dialog[open] [data-f\
irst]")?.focus()},[o]),we(()=>{if(!o)return;if(!Object.keys(It).length&&!N){ut(i?null:o);return}if(ut(null),i&&!Object.keys(It).length)return;let se=!1,Ht=setTimeout(
()=>Pe("/api/letters/plan",{filter:{...t,through:o.through},set:It,force:N}).then(mn=>se||(ut(mn),gt("")),mn=>se||gt(mn.message)),250);return()=>{se=!0,clearTimeout(
Ht)}},[o,i,g,ht,N]);let Io=async()=>{await Pe("/api/letters/replay",{filter:{...t,through:o.through},set:It,force:N,rate:Number(ue)||0,reason:b.trim()||Hf(ft[0],
It)}),Ke(`${L(ae.count,"job")} will be ${i?"changed and ":""}replayed: the progress is on this page`),s()},_n=o?Pu(o):[],so=i?"Fix and replay":"Replay",Po=o&&(o.
newer||N),oo=Lu(ft,o?.sample[0]?.before).filter(se=>!se[0].open&&!(se[0].field===i&&se[0].value===g)),as=ae?.count>0&&(!i||g.trim())?Xi(Wf(t,o),It,{force:N,rate:Number(
ue)||0,reason:b.trim()}):[];return a`<${Ge} title="Fix and replay" wide act=${ae?`${so} ${L(ae.count,"job")}`:so} ready=${ae?.count>0&&(!i||ae.changed>0)} onAct=${Io} onClose=${n}>
    ${(ft.length?ft:e?[e]:[]).map(se=>a`<${de} key=${se.group} level="bad" says=${a`${ft.length>1&&a`<span class="tag">${L(se.count,"letter")}</span> `}${qt(se.
class)}: <${xt} text=${se.message} />`} hint=${se.hint} of=${se.class} />`)}
    ${kt&&a`<${fn} says=${kt} />`}
    ${!o&&!kt&&a`<${kn} />`}
    ${o&&a`
      <div class="pair"><${Ie} name="What to change"><select value=${i} onChange=${se=>Yt(se.target.value?[{field:se.target.value,open:!0}]:[])}>
          <option value="" selected=${i===""}>Nothing: it is repaired elsewhere</option>
          ${_n.map(se=>a`<option value=${se} selected=${se===i}>${da(se)}</option>`)}</select><//>
        ${i&&a`<${Ie} name="New value">${Xs.includes(i)?a`<select value=${g} onChange=${se=>f(se.target.value)} data-first key=${i}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([se,Ht])=>a`<option value=${se} selected=${se===g}>${Ht}</option>`)}</select>`:a`<input type="text" value=${g} placeholder=${i==="so\
urce.only"?"consent=yes":""} onInput=${se=>f(se.target.value)} data-first autofocus key=${i} />`}<//>`}</div>
      ${oo.length>0&&a`<div class="small"><span class="soft">The error names</span> ${oo.map(se=>a`<button type="button" class="small" onClick=${()=>Yt(se)}>${da(
se[0].field)}: ${Xs.includes(se[0].field)?Zn(se[0].value==="true"):se[0].value}</button> `)}</div>`}
      ${y.length>0&&a`<div class="small soft">With it: ${y.map(se=>`${da(se.field)} ${se.value}`).join(", ")}</div>`}
      ${Oe&&a`<label class="check"><input type="checkbox" checked=${ht} onChange=${se=>pt(se.target.checked)} /><span>Also remove ${Oe}, which is more than is allowed: otherwise the job fails again</span></label>`}
      <${Uf} plan=${ae??o} field=${i} value=${g.trim()} />
      ${ae?a`<${Bf} plan=${ae} field=${i} rate=${Number(ue)} />`:i&&g.trim()&&!kt?a`<${kn} />`:null}
      <${Jf} plan=${ae??o} />
      ${Po&&a`<label class="check"><input type="checkbox" checked=${N} onChange=${se=>Z(se.target.checked)} /><span>Replay also what a newer job has superseded: it undoes what that job did</span></label>
        ${!N&&a`<div><button type="button" class="danger small" onClick=${()=>q(!0)}>Let them go …</button> <span class="small soft">discards what a newer job has superseded</span></div>`}`}`}
    <${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}. May be left empty.`}><input type="text" maxlength="1000" value=${b} onInput=${se=>T(
se.target.value)} /><//>
    <details class="small"><summary>Pace</summary><${Ie} name="Jobs a second" hint="Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${ue} onInput=${se=>Se(
se.target.value)} /><//></details>
    ${as.length>0&&a`<${Za}>${as.map(se=>a`<code key=${se}>${se}</code>`)}${as.length>1&&a`<span>with the numbers that the first command prints as SEQ</span>`}<//>`}
  <//>
  ${an&&a`<${qf} plan=${o} filter=${{...t,through:o.through}} onClose=${()=>q(!1)} onDone=${()=>{n(),s()}} />`}`}function Wf(e,t){let n=t.count+t.skipped+t.refused,
s=(t.sample[0]??t.left[0])?.id;return n===1&&s?{id:s}:e}function qf({plan:e,filter:t,onClose:n,onDone:s}){let[o,r]=I("superseded by a newer job"),i=async()=>{let{
discarded:d}=await Pe("/api/letters/discard",{filter:t,superseded:!0,reason:o});Ke(`${L(d,"letter")} let go`),s()};return a`<${Ge} title="Let go what newer jobs have superseded?" act="Let them go" danger ready=${o.
trim()} onAct=${i} onClose=${n}>
    <p><b>${L(e.newer,"letter")}</b> will be discarded for good, and the other letters stay. What the newer jobs did stays as it is.</p>
    <div><${Fu} list=${e.reasons.filter(d=>d.newer)} all=${e.newer} left=${e.left} /></div>
    <${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${o} onInput=${d=>r(d.target.
value)} data-first /><//>
  <//>`}function Pu(e){let t=e.sample[0]?.before,n=Qs(t).map(([o])=>o).filter(o=>!["id","v","source.ids"].includes(o)),s=e.causes.flatMap(o=>[...o.remedies.flat().
map(r=>r.field),ja[o.class]?.field]).filter(Boolean);return[...new Set([...n,...t?.source?zf:[],...s])]}var Hf=(e,t)=>`${Object.entries(t).map(([s,o])=>`${da(s)}\
 set to ${Xs.includes(s)?Zn(o==="true"):o}`).join(", ")||"repaired elsewhere"}: ${e?.message??""}`.slice(0,300);function Uf({plan:e,field:t,value:n}){return e.sample.
length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${Zn(ul(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?Zn(ul(s.after,
t)):Xs.includes(t)?Zn(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${Qs(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${da(o)} ${Zn(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function Bf({plan:e,field:t,rate:n}){if(!e.
count&&!e.skipped&&!e.refused)return a`<${de} says="No dead letter is left: it was replayed or discarded." />`;let s=Math.max(e.seconds,n>0?e.count/n:0);return a`<p><b>${L(
e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${s>10?`; this takes at least ${pn(s)}`:""}. Uploads continue where they stopped${t?
", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${de} level="warn" says=${`${L(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${Ot} text=${e.says} />`} />`}`}
function Jf({plan:e}){return e.skipped>0&&a`<${de} level="warn" says=${`${L(e.skipped,"letter")} skipped`}><${Fu} list=${e.reasons} all=${e.skipped} left=${e.left} /><//>`}
function Fu({list:e,all:t,left:n}){let s=e.slice(0,4),o=t-s.reduce((r,i)=>r+i.count,0);return a`${s.map(r=>a`<div class="small break"><b>${j(r.count)}</b>: <${Ot} text=${r.
why} />${r.count===1&&n.some(i=>i.why===r.why)&&a` (${n.find(i=>i.why===r.why).id??"no id"})`}</div>`)}
    ${o>0&&a`<div class="small">and ${L(o,"letter")} for other reasons</div>`}`}var zu=e=>JSON.stringify(e,null,2),eo=e=>L(e,"letter"),pl=e=>e.why.startsWith("is superseded: ")?e.why.slice(15):`it ${e.why}`;function es({l:e,filter:t}){let n=yr(
t);return a`<div class="hint break">${e.needless?a`Nothing is left to do: ${e.why}, <${X} at=${e.at} />`:a`A replay would undo what ${e.job?"a later job":"someb\
ody"} did: ${pl(e)}`}. ${e.job&&a`<a href=${ne("jobs",e.job)}>Open that job</a>`}
    <${Za}>${!e.needless&&a`<code>usher dead replay ${n} --force</code>`}<code>usher dead discard ${n}</code><//></div>`}var ts=({since:e,filter:t})=>e&&a`<div class="note break">A later job may have done this: usher has looked here only at jobs that were submitted since <${X} at=${e} />.
  <${Za}><code>usher dead ls ${yr(t)}</code><span>looks at all</span><//></div>`;function Nu({letter:e,onClose:t,onEdit:n,onDiscard:s}){let o=e.id?{id:e.id}:{seqs:[
e.seq]};return a`<${Ge} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${de} level=${e.later?.needless?"":"bad"} says=${a`<span title=${e.class}>${qt(e.class)}</span>: <${xt} text=${e.message} />`} hint=${e.later?"":e.hint} of=${e.
later?"":e.class} letters=${e.later?void 0:o} remedies=${e.remedies}><${ts} since=${e.knownSince} filter=${o} /><//>
    ${e.later&&a`<${de} level=${e.later.needless?"good":"warn"} says=${e.later.needless?"It can be discarded":"It is superseded"}><${es} l=${e.later} filter=${o} /><//>`}
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${ne("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${qn} kind=${e.kind} target=${e.target} name=${e.targetName} /></dd>
      <dt>Failed</dt><dd>${Wt(e.at)}</dd>
      <dt>Attempts</dt><dd>${L(e.attempts,"attempt")}${e.crashes?`, ${L(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(r=>da(r.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${Qs(e.job).filter(([r])=>!["id","v"].includes(r)).slice(0,12).map(([r,i])=>a`<dt>${da(r)}</dt><dd class="break">${Zn(i)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${zu(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${He("operator")&&(e.later?a`<div><button type="button" class="danger" onClick=${s}>Discard this letter …</button></div>`:e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`)}
  <//>`}function Ao({filter:e,count:t,why:n="",onClose:s,onDone:o}){let[r,i]=I(n),d=async()=>{let{discarded:g}=await Pe("/api/letters/discard",{filter:e,reason:r});
Ke(`${eo(g)} discarded`),o()};return a`<${Ge} title=${`Discard ${eo(t)} for good?`} act=${`Discard ${eo(t)}`} danger ready=${r.trim()} onAct=${d} onClose=${s}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${g=>i(g.target.value)} data-first /><//>
  <//>`}function Wu({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=I(t?zu(t.job):""),[i,d]=I(""),[g,f]=I(""),[y,A]=I(""),[b,T]=I(null),N=()=>{if(!t)return{set:{
[i.trim()]:g}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},Z=async()=>{let Se={...N(),
reason:y};if(!b)throw T(await Pe("/api/letters/edit",{filter:e,edit:{...Se,dryRun:!0}})),new Error("");let ae=await Pe("/api/letters/edit",{filter:e,edit:Se});if(ae.
edited===0)throw new Error(ae.says||"The edit changes nothing.");Ke(`${eo(ae.edited)} edited${ae.refused?`, ${j(ae.refused)} could not be edited`:""}`),s(ae.now??
[])},ue=Se=>ae=>{Se(ae.target.value),T(null)};return a`<${Ge} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${b?`Edit ${eo(b.edited)}`:"Preview"} ready=${b?b.edited>0&&y.trim():t||i.trim()} onAct=${Z} onClose=${n}>
    ${t?a`<${Ie} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${ue(
r)} data-first></textarea><//>`:a`<${Ie} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${i} onInput=${ue(
d)} data-first /><//>
        <${Ie} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${g} onInput=${ue(f)} /><//>`}
    ${b&&a`<${de} level=${b.refused?"warn":"good"} says=${`${eo(b.edited)} to be edited${b.same?`, ${j(b.same)} unchanged`:""}${b.refused?`, ${j(b.refused)} ref\
used`:""}`} hint=${b.says} />
      ${b.example&&a`<div class="small soft">Changed fields: ${b.example.fields.map(Se=>a`<span class="tag mono">${Se}</span> `)}</div>`}`}
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${y} onInput=${Se=>A(Se.target.value)} /><//>
  <//>`}var Ea=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),Gf={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function Kf(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${ne("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function qu(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",i=e.files>1?`, ${L(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${i}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${Ea(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${Gf[e.delimiter]??a`<code>${Ea(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${L(e.skip,"line")}`:a`lines that begin with <code>${Ea(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${Ea(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${j(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${Ot} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${Ea(e.typeColumn)}</dd>`}
    ${e.withheld?.map(d=>a`<dt>Left out</dt><dd>${L(d.count,"id")}: ${Kf(d.reason)}${d.at&&a`<div class="note">as of its generation ${j(d.generation)}, <${X} at=${d.
at} /></div>`}</dd>`)}
`}var Hu=({u:e})=>a`<${te} title="How the export was read"><dl class="facts">${qu(e)}</dl><//>`,Vf={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 has\
hes"};function Uu({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${te} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${ne("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${X} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      ${e.began&&a`<dt>New memory</dt><dd><${Ot} text=${e.began} /></dd>`}
      <dt>Rows</dt><dd>${j(e.rows)}</dd>
      ${qu(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${Vf[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(Ea).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(Ea).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?Ea(s.replace("."," by ")):la(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var Mo=e=>["done","failed","cancelled"].includes(e);function Bu(e){let t=$e("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=I(""),o=t.data?.record,r=t.data?.
letter,i=o&&!Mo(o.state);we(()=>{let b=i&&setInterval(t.reload,15e3);return()=>clearInterval(b)},[i,e]);let d=r&&!r.later&&He("operator")&&(()=>s("fix")),g=r?.later&&
He("operator")&&(()=>s("discard")),f=o&&a`<${Va} is=${o.state} /> <${qn} kind=${o.kind} target=${t.data.target} name=${o.targetName} />${o.run>1?` · run ${o.run}`:
""}`,y=o&&a`
    ${d&&a`<button class="primary" onClick=${d}>Fix and replay …</button>`}
    ${g&&a`<button class="danger" onClick=${g}>Discard its letter …</button>`}
    ${r&&a`<a class="button" href=${"#/letters"+Ce({id:e})}>Dead letter</a>`}
    ${!Mo(o.state)&&He("operator")&&a`<button class="danger" onClick=${()=>s("cancel")}>Cancel job</button>`}`,A=a`<${ot} result=${t}>${b=>a`<${Yf} page=${b} onFix=${d} />`}<//>
    ${n==="cancel"&&a`<${hl} ids=${[e]} onClose=${()=>s("")} onDone=${t.reload} />`}
    ${n==="fix"&&a`<${Qa} cause=${{...o.error,count:1}} filter=${{id:e}} onClose=${()=>s("")} onDone=${t.reload} />`}
    ${n==="discard"&&a`<${Ao} filter=${{id:e}} count=${1} why=${r?.later?.why} onClose=${()=>s("")} onDone=${t.reload} />`}`;return{sub:f,acts:y,body:A}}function Ju({
id:e}){let{sub:t,acts:n,body:s}=Bu(e);return a`<${Je} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}function Gu({id:e,onClose:t}){
let{sub:n,acts:s,body:o}=Bu(e),r=Mt(null);return we(()=>{r.current?.focus({preventScroll:!0});let i=d=>{d.key==="Escape"&&!document.querySelector("dialog[open]")&&
t()};return window.addEventListener("keydown",i),()=>{window.removeEventListener("keydown",i),document.querySelector(`a.id[href$="job=${CSS.escape(encodeURIComponent(
e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${ne("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function hl({ids:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e.length===1?"Cancel this job?":`Cancel ${L(e.length,"job")}\
?`,i=async()=>{if(e.length===1)await Pe(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Ke(`Job ${e[0]} is cancelled`);else{let{cancelled:d,left:g}=await Pe(
"/api/jobs/cancel",{ids:e,reason:s});Ke(`${L(d,"job")} cancelled${g.length?`; ${j(g.length)} not: ${g[0].why}`:""}`,g.length>0)}n()};return a`<${Ge} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${L(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${i}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${d=>o(d.target.value)} data-first /><//><//>`}
function Yf({page:e,onFix:t}){let n=e.record,s=n.job??{},o=ca({...n,accepted:n.tally.accepted,dryRun:s.dryRun});return a`
    ${n.consequence&&a`<${de} level=${n.consequence.large?"bad":""} says=${a`<span class="named">${Vn(e.target,n.targetName)}: ${o}</span>`} hint=${n.consequence.
large?Xf(n.consequence,s):""} />`}
    ${n.error&&a`<${Zf} r=${n} letter=${e.letter} onFix=${t} />`}
    ${n.why&&!Mo(n.state)&&a`<${de} level=${n.state==="running"?"":"warn"} says=${n.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[n.state]}>${n.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${ne("jobs",n.waitsFor.job)}>${n.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||n.parts.total>1?a`<${tm} r=${n} parts=${e.parts??[]} />`:null}
        ${(n.tally.read>0||Qf(n))&&a`<${te} title="Where every row went" side=${s.dryRun&&a`<span class="tag">dry run</span>`}><${Eu} tally=${n.tally} dryRun=${s.
dryRun} /><//>`}
        ${n.warnings.length>0&&a`<${te} title="Warnings" flush><${rt} name="warnings" rows=${n.warnings} columns=${[["What",r=>r.description],["Times",r=>r.count,
!0]]}>${r=>a`<tr><td class="break whole" title=${r.code}><${xt} text=${r.description} /></td><td class="num" data-name="Times">${j(r.count)}</td></tr>`}<//><//>`}
        ${n.samples.length>0&&a`<${em} all=${n.samples} />`}
        <${te}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(s,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${nm} r=${n} target=${e.target} />${n.understood&&a`<${Hu} u=${n.understood} />`}<${Iu} r=${n} history=${e.history} /></div>
    </div>`}function Zf({r:e,letter:t,onFix:n}){let s=a`<span title=${e.error.class}>${qt(e.error.class)}</span>: <${xt} text=${e.error.message} />`;return t?.later?
a`<${de} level=${t.later.needless?"":"bad"} says=${s}><${es} l=${t.later} filter=${{id:e.id}} /><//>`:t?a`<${de} level="bad" says=${s} hint=${e.error.hint} of=${e.
error.class} onFix=${n} letters=${{id:e.id}} remedies=${t.remedies}><${ts} since=${t.knownSince} filter=${{id:e.id}} /><//>`:a`<${de} says=${s} hint="Its dead letter was discarded, so that it cannot be replayed: publish the job again, under a new id, if it is still needed." />`}
function Xf({added:e,removed:t,now:n},s){let o=Math.floor(1e3*t/(n-e+t))/10,r=s.maxRemovePercent??20;return`It ${s.dryRun?"would remove":"has removed"} ${o} % o\
f the members${o>r?`. Without force, it may remove ${r} %`:`, more than half of the ${r} % that it may remove`}. If that is not right, usher ledger rollback bri\
ngs back the generation before.`}var Qf=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(e.kind)&&Mo(
e.state)&&e.state==="done";function em({all:e}){let[t,n]=I(!1),s=6;return a`<${te} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${rt} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${j(
o.row)}</td><td title=${o.reason}>${la(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${j(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function tm({
r:e,parts:t}){let n=new Map(t.map(i=>[i.number,i])),{total:s,done:o}=e.parts,r=e.crashedParts??[];return a`<${te} title="Parts" side=${a`<span class="soft">${j(
o)} of ${j(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(i,d)=>{let g=n.get(d)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${d} class=${g?.
state??""} title=${`part ${d+1}: ${g?g.state+(g.read===null?"":`, ${j(g.read)} rows`):"waiting"}`}></i>`})}</div>
    ${r.length>0&&a`<p class="small soft" style=${{marginTop:"12px"}}>Workers crashed while they ran ${r.slice(0,5).map((i,d)=>a`${d>0&&", "}part ${j(i.part+1)} <b class="bad-ink">${i.
crashes===1?"once":`${j(i.crashes)} times`}</b>`)}${r.length>5&&" and others"}. Each ${Mo(e.state)?"went":"goes"} on where it stopped.</p>`}<//>`}function nm({r:e,
target:t}){let n=e.kind.startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${te} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${ne("campaigns",n)}>${Vn(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${ne("audiences",t)}>${Vn(t,e.targetName)}</a>`:
Vn(t)}</dd>
    ${e.publisher&&a`<dt>Publisher</dt><dd>token ${e.publisher}, over HTTP</dd>`}
    <dt>Submitted</dt><dd><${X} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${X} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${X} at=${e.finished} />${e.started&&a` <span class="faint">after ${pn((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${j(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${L(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${L(e.batches,"batch","batches")}, ${Es(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${j(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${We.new}>New</dt><dd>${e.new?j(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${j(e.numberOfIds.before)} before, ${j(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+Ce({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var ml=[["","All kinds"],...Object.entries(Co).map(([e,[t]])=>[e,t])],am=["queued","running","retrying","done","failed","cancelled"],sm=50,om=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],Oo=e=>["done","failed","cancelled"].includes(e);
function rm({span:e,from:t,to:n}){return e==="days"?{since:t&&Hi(t),until:n&&Hi(n,1)}:{since:e&&new Date(Math.floor(ct()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function Vu({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...rm(e)},n=$e("/api/jobs"+Ce({...t,after:e.after,limit:sm}),["jobs"]),[s,o]=I(
[]),[r,i]=I(!1),d=n.data??n.stale,g=d?Object.values(d.states).reduce((T,N)=>T+N,0):void 0,f=T=>{o([]),Qe({after:"",...T})},y=d?.jobs.filter(T=>!Oo(T.state)).map(
T=>T.id)??[],A=s.filter(T=>y.includes(T)),b={...e,job:""};return a`<${Je} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${On} label="Search id, target, error …" value=${e.text} onText=${T=>f({text:T})} />
      <${Yn} label="Kind" value=${e.kind} onPick=${T=>f({kind:T})} options=${ml} />
      <${Yn} label="Submitted" value=${e.span} onPick=${T=>f({span:T,from:"",to:""})} options=${om} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${T=>f({from:T.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${T=>f({to:T.target.value})} />`}
    </div>
    <${Ta} label="State" value=${e.state} onPick=${T=>f({state:T})}
      options=${[["","All",g],...am.map(T=>[T,T[0].toUpperCase()+T.slice(1),d&&(d.states[T]??0),We[T]])].map(([T,N,Z,ue])=>[T,N,Z==null?"…":Object.values(t).some(
Boolean)?Ns(Z,d.looking):j(Z),ue])} />
    ${e.target&&a`<div><button class="small" onClick=${()=>f({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${fn} says=${n.error} retry=${n.reload} />`}
    <section class="card">${d?a`<${im} list=${d} filtered=${Object.values(t).some(Boolean)} params=${b} chosen=${A} choose=${o} />
      <${zs} l=${d.looking} />
      ${(d.jobs.length>0||e.after)&&a`<div class="foot"><span>${j(d.jobs.length)} of ${L(d.total,"job")}${d.looking&&d.total<=d.jobs.length?" so far":""}${d.more&&
!d.next?"; choose a time to see older ones":""}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+Ce({...b,after:""})}>Newest</a>`}
        ${d.next&&a`<a class="button small" href=${"#/jobs"+Ce({...b,after:d.next})}>Older</a>`}</span></div>`}`:!n.error&&a`<${kn} />`}</section>
    ${A.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${L(A.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>i(!0)}>Cancel ${L(A.length,"job")} …</button></div>`}
    ${r&&a`<${hl} ids=${A} onClose=${()=>i(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${Gu} id=${e.job} key=${e.job} onClose=${()=>Qe({job:""})} />`}
  <//>`}function im({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?e.looking?a`<${Te} title="No job found so far">Older jobs are being read.<//>`:
t||n.after?a`<${Te} title="No job matches">Remove a filter to see other jobs.<//>`:a`<${Te} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${Sa}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${$l} jobs=${e.jobs} href=${r=>"#/jobs"+Ce({...n,job:r})} chosen=${He("operator")&&e.jobs.some(r=>!Oo(r.state))?s:null} choose=${o} />`}var fl="Sort the rows\
 on this page",lm=[["Job",e=>e.id,!1,fl],["State",e=>e.state,!1,fl],["Rows",e=>e.read,!0,We.read],["Accepted",e=>e.accepted,!0,We.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,fl]];function $l({jobs:e,href:t=o=>ne("jobs",o),chosen:n,choose:s}){let o=e.filter(i=>!Oo(i.state)).map(i=>i.id),r=i=>s(n.includes(i)?n.filter(
d=>d!==i):[...n,i]);return a`<${rt} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${lm}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${i=>a`<tr key=${i.id} data-href=${t(i.id)}>
      ${n&&a`<td class="tick">${!Oo(i.state)&&a`<input type="checkbox" aria-label=${`Select job ${i.id}`} checked=${n.includes(i.id)} onChange=${()=>r(i.id)} />`}</td>`}
      <td><a class="id" href=${t(i.id)}>${i.id}</a><div class="note"><${qn} kind=${i.kind} target=${i.target} name=${i.targetName} />${i.run>1?` · run ${i.run}`:
""}</div>
        ${i.state==="running"?a`<${um} row=${i} />`:a`<${dm} row=${i} />`}</td>
      <td><${Va} is=${i.state} /></td>
      <td class="num" data-name="Rows">${i.read?j(i.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${i.accepted?j(i.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${X} at=${i.submitted} />${Ku(i)&&a`<div class="note nowrap">took ${Ku(i)}</div>`}</div></td>
    </tr>`}<//>`}var Ku=e=>e.started&&e.finished&&pn((new Date(e.finished)-new Date(e.started))/1e3);function dm({row:e}){if(e.error)return a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${qt(e.error.class)}</span>: <${xt} text=${e.error.message} /></div>`;if(e.why)return a`<div class="note"><${Ot} text=${e.why} /></div>`;let t=Oo(e.
state)&&(ca(e)||e.rejected);return!t&&!e.warnings?null:a`<div class="note">${t&&a`<${Hs} r=${e} />`}${t&&e.warnings>0&&"; "}${e.warnings>0&&L(e.warnings,"warnin\
g")}</div>`}function cm(e){let t=Mt({read:0,at:Date.parse(e.started),rate:0});return nn(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/1e3;return e.read>n&&o>=
1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function um({row:e}){let t=Fs(),n=cm(e);if(e.state!=="running")return a`<div class="note"><${Ot} text=${e.
why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,i=r>0&&e.started?(t-Date.parse(e.started))/1e3*(1-r)/r:null,d=[r!==null&&
`${Math.floor(100*r)} %, ${j(o)} of ${j(s)} parts`,e.read>0&&`${j(e.read)} rows`,n>=1&&`${j(n)} rows/s`,i!==null&&`about ${pn(Math.max(i,1))} left`].filter(Boolean);
return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.why?a`<${Ot} text=${e.why} />`:d.join(" · ")||"\
started"}</div>`}var pm=10,Yu=(e,t)=>t?100*e/t:0,Or=(e,t)=>`${Yu(e,t).toFixed(1)} %`,hm=e=>(e.of??"").split(",").filter(Boolean);function Zu({params:e}){let t=$e("/api/audiences",
["audiences"]),n=hm(e);return a`<${Je} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${ot} result=${t}>${({audiences:s})=>a`<${fm} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${te}><${Te} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${mm} of=${n} key=${n.join()} />`}
  <//>`}function fm({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${te}><${Te} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>Qe({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=pm} onClick=${()=>s(o.target)}>${Et(o)}</button>`)}</div>`}function mm({
of:e}){let t=$e("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return t.refused?a`<${de} level="warn" says="These audiences cannot be compared" hint=${t.
error} />`:a`<${ot} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${de} level="warn" says=${`${L(s.uncertain,"id")} of ${Et(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${$m} o=${n} />
    <div class="grid two-one"><div class="stack"><${gm} o=${n} /></div><div class="stack"><${bm} o=${n} /></div></div>`}<//>`}function $m({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${Tt} name="Together" value=${j(e.union)} note="members of at least one" meaning="Ids that are members of at least one of these audiences, each counted once, by usher's ledgers." />
    <${Tt} name=${e.audiences.length>2?"In all":"In both"} value=${j(e.all)} note=${`${Or(e.all,e.union)} of all`} meaning="Ids that are members of each of these audiences." />
    <${Tt} name=${`Only in ${Et(t)}`} value=${j(t.only)} note=${`${Or(t.only,t.members)} of its members`} meaning="Ids that are members of no other of these audiences." />
  </div>`}function gm({o:e}){return a`<${te} title="In both" flush side=${a`<span class="faint small">and their share of its members</span>`}>
    <div class="scroll"><table class="matrix cards" aria-label="Members in common"><thead><tr><th>Audience</th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${Et(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${ne("audiences",t.target)}>${Et(t)}</a><div class="note">generation ${j(
t.generation)}, <${X} at=${t.at} />${t.lapsed>0&&`, ${j(t.lapsed)} lapsed`}</div></th>
      <td class="num" data-name="Members"><b>${j(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} data-name=${`and ${Et(e.audiences[o])}`} style=${{"--sha\
re":Yu(s,t.members).toFixed(1)+"%"}} title=${`${j(s)} of the ${j(t.members)} members of ${Et(t)} are in ${Et(e.audiences[o])}`}>${j(s)}<div class="note">${Or(s,
t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function bm({o:e}){return a`<${te} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${j(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${Et(t)} <span class="soft">${j(t.members)}, ${Or(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${j(t.only)} only in ${Et(t)}, ${j(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${j(t.only)} only here, ${j(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var Xu=(...e)=>"#/audiences/overlap"+Ce({of:e.join(",")});function Qu({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=$e(t,["audiences","letters"]),[s,o]=I(""),r=n.data,i=r&&a`${r.ledger&&a`<a class="button" href=${Xu(
e)}>Overlaps</a>`}${He("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${Je} title=${r?Et(r):Ar(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${ll} f=${r.feed} />`} acts=${i}>
    <${ot} result=${n}>${d=>a`
      ${d.problems.map(g=>a`<${de} key=${g.says} level=${g.level} says=${a`<${xt} text=${g.says} />`} where=${g.where?.startsWith("/letters")?"#"+g.where:void 0} />`)}
      <${zs} l=${d.looking} />
      <${vm} a=${d} />
      <div class="grid two-one">
        <div class="stack"><${wm} points=${d.sizes} /><${xm} points=${d.trend} /><${km} jobs=${d.jobs} looking=${d.looking} target=${e} /></div>
        <div class="stack"><${_m} f=${d.feed} last=${d.jobs.find(g=>g.id===d.feed?.job)} onDone=${n.reload} /><${jm} l=${d.ledger} /><${Cm} w=${d.withheld} /><${Uu} m=${d.
memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${Sm} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${Tm} path=${t} onClose=${()=>o("")} />`}
  <//>`}function vm({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${Tt} name="Ids" meaning=${We.ids} value=${e.size===null?"–":j(e.size)} note=${e.size===null?e.looking?gl:"no job or ledger has said it":e.sizeOf==="ledg\
er"?"in usher's ledger":a`on the platform, <${X} at=${e.sizeAt} />`} />
    <${Tt} name="Last change" meaning=${We.change} value=${a`<${rl} c=${e.last} />`} note=${e.last?a`<${X} at=${e.last.at} />`:e.looking?gl:"no job on record ha\
s changed it"} />
    <${Tt} name="Junk and invalid" meaning=${We.quality} value=${t?`${bl(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${L(t.read,"row")} in the last export`:
e.looking?gl:e.jobs.length<200?"no export on record was read":"its newest 200 jobs have read no export"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${Tt} name="Open jobs" meaning=${We.open} value=${j(e.open)} note=${e.letters?a`<span class="bad-ink">${L(e.letters,"dead letter")}</span>`:"no dead letter\
s"} />
  </div>`}var gl="older jobs are being read",bl=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",ep=e=>Date.parse(e)/1e3;function wm({points:e}){let t=nn(()=>[e.map(
n=>ep(n.at)),e.map(n=>n.ledger),e.map(n=>n.platform)],[e]);return a`<${te} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${Te} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${Ra} data=${t} values=${Kn} unit="ids" label=${`Ids over t\
ime, now ${j(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
var ym=e=>`${bl(e.junk,e.read)} % junk and ${bl(e.invalid,e.read)} % invalid rows`;function xm({points:e}){let t=nn(()=>[e.map(n=>ep(n.at)),e.map(n=>100*n.junk/
n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${te} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${Te} title=${e.length?`${ym(e[0])} of the only export`:"No export was read yet"}>${e.length?"A second export makes it a trend.":"The shares\
 are drawn once two exports were read."}<//>`:a`<${Ra} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function km({jobs:e,looking:t,target:n}){return a`<${te} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+Ce({target:n})}>All jobs</a>`}>${e.length===
0?a`<${Te} title=${t?"No job found so far":"No jobs on record"} />`:a`<${$l} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${e.length>=
200?"200 or more":Ns(e.length,t)}</div>`}`}<//>`}var tp={look:["Look for a new export now?","Look now","A worker looks at once, and takes an export that is comp\
lete."],approve:["Approve the held export?","Approve export","It is taken now, although it differs from what is expected."],reject:["Reject the held export?","R\
eject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","Pause feed","No export is taken until somebody resumes it."],resume:[
"Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function Er({feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,i]=I(""),
[d]=I(t??[]),[g,f,y]=tp[n],A=async()=>{await Pe(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,versions:d}),Ke(`${f}: feed ${e}`),o()};return a`<${Ge} title=${g} act=${f} danger=${n===
"pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${A} onClose=${s}>
    <p>${y}</p><${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${b=>i(b.
target.value)} data-first /><//>
  <//>`}function _m({f:e,last:t,onDone:n}){let[s,o]=I("");if(!e)return a`<${te} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let r=e.held?[e.approvable?"approve":"look","reject"]:e.paused?["resume"]:["look","pause"];return a`<${te} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${il(e)}</dd>
      <dt>Looked</dt><dd><${X} at=${e.looked} />${e.blind&&a` <span class="badge bad">blind</span>`}</dd>
      <dt>Expected</dt><dd>${e.late?a`by ${qi(e.late)} <span class="badge bad">late</span>`:e.next?`by ${qi(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${X} at=${e.last} />${e.rows>0&&`, ${L(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${Ro(e.jobState)&&a`<dt>Not uploaded</dt><dd><a href=${ne("jobs",e.job)}>Its job</a> ${e.error?a`has failed. ${qt(e.error.class)}: <${xt} text=${e.error.message} /><${Hn} text=${e.
error.hint} of=${e.error.class} letters=${{id:e.job}} remedies=${e.remedies} />`:"was cancelled"}</dd>`}
      ${t&&ca(t)&&a`<dt>Changed</dt><dd><a href=${ne("jobs",t.id)}><${Hs} r=${t} /></a></dd>`}
      ${e.why&&a`<dt>Now</dt><dd><${Ot} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${He("operator")&&a`<div class="acts-line">${r.map(i=>a`<button class="small ${i==="pause"||i==="reject"?"danger":""}" onClick=${()=>o(i)}>${tp[i][1]} …</button>`)}</div>`}
    ${s&&a`<${Er} feed=${e.name} versions=${s==="approve"?e.approvable:e.versions} way=${s} onClose=${()=>o("")} onDone=${n} />`}<//>`}function jm({l:e}){return a`<${te} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${X} at=${e.at} /></dd><dt>Ids</dt><dd>${j(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${ne("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${ne("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function Cm({w:e}){return e?a`<${te} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${ne("audiences",t.target)}>${Et(t)}</a>: ${L(t.count,"id")}<div class="note">as of its generation ${j(t.
generation)}, <${X} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${L(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function Sm({path:e,source:t,onClose:n}){let[s,o]=I(t.includes("?…")?"":t),r=async()=>{let{id:i}=await Pe(e+"/compare",{url:s.trim()});Ke("C\
omparing: nothing is sent"),location.hash=ne("jobs",i)};return a`<${Ge} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Ie} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${i=>o(
i.target.value)} data-first /><//>
  <//>`}function Tm({path:e,onClose:t}){let[n,s]=I(null),o=async()=>{throw s(await Pe(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected,i=n&&n.count===null,
d=n?i?`Which ids it holds is not known until its next mirror: ${L(n.uncertain,"id")} may be members, and were not asked for.`:`The ledger holds ${L(n.count,"id")}\
.`:"";return a`<${Ge} title="Check against the platform" act=${n?"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${de} level=${r?"bad":i?"warn":"good"} says=${r?`${j(r)} of ${j(n.asked)} answers differ`:`All ${j(n.asked)} answers agree`}
      hint=${r?`${j(n.missing)} ids are missing on the platform, ${j(n.unexpected)} are there although they should not be. ${i?d:`The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`}`:d} />`}
  <//>`}function Dm({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${ne("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${j(e.jobs.length-4)} more</div>`}</div>`}
function Rm({w:e}){return e.gone?e.stopped?a`<span class="badge">stopped</span>`:a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:
e.down?a`<span class="badge bad">${e.refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var Am=[{key:"name",title:"Worker",
card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${Rm} w=${e} />${e.
gone&&a`<div class="note">last heard <${X} at=${e.heard} /></div>`}`},{key:"doing",title:"Does",cell:e=>a`<${Dm} w=${e} />`},{key:"slots",title:"Slots by lane",
cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${j(n)}</span>`)}</div>`},
{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.
memory||null,cell:e=>e.memory?Es(e.memory):a`<span class="faint none">–</span>`},{key:"since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${X} at=${e.
since} />`}];function np(){let e=$e("/api/workers");we(()=>{let r=setInterval(()=>document.hidden||e.reload(),1e4);return()=>clearInterval(r)},[]);let t=e.data?.
workers??[],n=[...new Set(t.filter(r=>!r.gone).map(r=>r.version))],s=t.filter(r=>r.gone&&r.stopped).length,o=t.filter(r=>r.gone&&!r.stopped).length;return a`<${te} title="Workers" flush><${ot} result=${e}>${()=>a`
    ${n.length>1&&a`<${de} level="warn" says=${`${j(n.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
    ${t.length===0?a`<${Te} title="No worker answers">Jobs wait until one is started.<${Sa}>usher run<//><//>`:a`<${Zs} label="Workers" columns=${Am} rows=${t} params=${{}} id=${r=>r.
name} /><div class="foot">${L(t.length-o-s,"worker")}${s>0?`, ${j(s)} stopped`:""}${o>0?`, ${j(o)} gone`:""}</div>`}`}<//><//>`}var Mm=15*6e4,ap=new Set;function to({running:e=!0,ended:t=!0}){let n=$e("/api/replays",["replays"]),[,s]=I(0),o=ct();return(n.data?.replays??[]).filter(i=>i.finished?
t&&!ap.has(i.id)&&o-new Date(i.finished)<Mm:e).map(i=>a`<${Em} key=${i.id} r=${i} onHide=${()=>{ap.add(i.id),s(d=>d+1)}} />`)}function Om(e){return e.error?"Rep\
lay failed":e.stopped?"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function Em({
r:e,onHide:t}){let n=e.report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${Om(e)}</b>
      <span class="soft">by ${e.by}, <${X} at=${e.started} />${e.rate?`, ${un(e.rate)} a second`:""}</span>
      ${!e.finished&&He("operator")&&a`<button class="small danger" onClick=${()=>Pe(`/api/replays/${e.id}/stop`).catch(r=>Ke(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${L(n.changed,"job")} changed, `}${j(n.replayed)} of ${j(n.planned)} replayed${n.skipped?`, ${j(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${Im} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${de} level="bad" says=${e.error} />`}
  </div></section>`}function Im({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${j(e.done)} done</span>${t>
0&&a`, <span class="soft">${j(t)} not ended yet</span>`}${e.cancelled>0&&`, ${j(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+Ce({replay:e.name})}>${j(e.failedAgain)} failed again</a>`}</div>`}var vl=100;function Ir({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${te} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,vl).map(([r,i])=>a`<b class="small" title=${r}>${r}</b>${i.
map(d=>a`<span class="cell ${d.look}" title=${d.title}>${d.text}</span>`)}`)}
      <i></i>${t.map((r,i)=>a`<span class="small faint">${i%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,i])=>a`<span class="cell ${r}"></span> ${i} `)}${n.length>vl&&`· ${j(n.length-vl)} more lines are not shown`}</div><//>`}
function Pr(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var sp=e=>new Date(ct()-e*864e5).toISOString().slice(0,10);function rp({params:e}){let t=$e("/api/rules"),n=[...new Set((t.data?.rules??[]).map(b=>b.file))],s=e.
file??n[0]??"",[o,r]=I(e.from??sp(31)),[i,d]=I(e.to??sp(1)),[g,f]=I({}),y=async b=>{f({busy:!0});try{f({outcome:await ra("/api/rules/backtest"+Ce(b))})}catch(T){
f({error:T.message})}};we(()=>{e.file&&e.from&&e.to&&y(e)},[e.file,e.from,e.to]);let A=b=>{b.preventDefault();let T={file:s,from:o,to:i};e.file===s&&e.from===o&&
e.to===i?y(T):Qe(T)};return a`<${Je} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${A}>
      <${Yn} label="Rule file" value=${s} onPick=${b=>Qe({file:b,from:"",to:""})} options=${n.map(b=>[b,b])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${b=>r(b.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${i} onInput=${b=>d(b.target.value)} />
      <button class="primary" disabled=${g.busy||!s}>${g.busy?"Reading reports …":"Run"}</button>
    </form>
    ${g.error&&a`<${fn} says=${g.error} />`}
    ${g.busy&&a`<div class="card"><${kn} /></div>`}
    ${g.outcome&&a`<${Pm} o=${g.outcome} />`}
    ${!g.outcome&&!g.busy&&!g.error&&a`<div class="card"><${Te} title="Choose days">The rules are evaluated at the end of each day on which they are due, on the platform's reports.<//></div>`}
  <//>`}function Pm({o:e}){let t=e.summary,n=t.rules.length>0&&t.rules.every(o=>o.field),s=t.savedLacking?"at most this and what the report lacks":"at most this";
return a`${t.spend===0&&a`<${de} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${Tt} name="Saved" meaning=${We.saved} value=${n?"unknown":un(t.saved)} note=${`${t.savedLacking?"on days with rows, ":(t.atMost||t.until)&&t.saved>0?"at\
 most, ":""}of ${t.lacking?"at least ":""}${un(t.spend)} spent`} />
      <${Tt} name="Pauses" meaning=${We.pauses} value=${j(t.pauses)} note=${L(t.resumes,"resume")} />
      <${Tt} name="Held" meaning=${We.held} value=${j(t.held)} note=${t.unknown>0?`and ${j(t.unknown)} unknown`:"by limits and guards"} />
      <${Tt} name="Missed clicks" meaning=${We.missed} value=${n?"unknown":Kn(t.missed.clicks)} note=${n?"as the effect of budgets and bids is":`${Kn(t.missed.impressions)}\
 impressions`} />
    </div>
    ${t.byNumber&&a`<${Fm} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${Lm} days=${t.byDay} key=${t.from+t.to} />`}
    <${op} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(o=>!o.bidding)} />
    <${op} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(o=>o.bidding)} />
    <${te} title="By rule" flush><${rt} name="rules" rows=${t.rules} columns=${[["Rule",o=>o.rule],["Saved",o=>o.saved,!0],["Pauses",o=>o.pauses,!0],["Resumes",
o=>o.resumes,!0],...t.byNumber?[["Decreases",o=>o.decreases,!0],["Increases",o=>o.increases,!0]]:[],["Held",o=>o.held,!0]]}>${o=>a`<tr><td class="strong break">${o.
rule}</td><td class="num" data-name="Saved">${o.field?"unknown":un(o.saved)}</td><td class="num" data-name="Pauses">${j(o.pauses)}</td><td class="num" data-name="Resumes">${j(
o.resumes)}</td>${t.byNumber&&a`<td class="num" data-name="Decreases">${j(o.decreases)}</td><td class="num" data-name="Increases">${j(o.increases)}</td>`}<td class="num" data-name="Held">${j(
o.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.notDaily&&a`<div class="foot">Decided only on days on which they were due: ${t.notDaily.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours and active_days were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.until&&a`<div class="foot">Each day has one run, at its end: what until ends was resumed at the end of that day, and not at its beginning, so saved is ${s}. Rules with until: ${t.
until.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is ${s} for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.join("\
, ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${te} title="What would have changed" flush>${e.decisions.length===0?a`<${Te} title="No rule would have changed anything">${t.unknown>0&&`${L(t.unknown,"de\
cision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${rt} rows=${e.decisions.slice(0,300)} columns=${[["Day",o=>o.date],["Subject",
o=>o.creative||o.campaign],["Action",o=>o.action],["Why",o=>o.rule]]}>${o=>a`<tr><td class="nowrap">${o.date}</td><td class="break"><${Aa} d=${o} /></td>
          <td><${Js} is=${o.action} /></td><td class="whole break">${o.reason}<div class="note">${o.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${j(e.decisions.length)}</div>`}`}<//>`}function Lm({days:e}){let t=nn(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${te} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${Ra} data=${t} values=${Kn} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Fm({all:e}){return a`<${te} title="Budgets and bids" flush><${rt} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${xn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?Gs(t.change):`stays ${Gs({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${j(t.decreases)}</td><td class="num" data-name="Increases">${j(t.increases)}</td><td class="num" data-name="Held">${j(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function op({title:e,days:t,decisions:n}){let s=[...Pr(n,
r=>r.bidding?`${r.campaign} ${xn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(i=>i.action===r));return a`<${Ir} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,i])=>[r,zm(t,i)])} />`}function zm(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var wl=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${Wt(e.until)}</time>`:"released"}`;function yl({s:e}){return e?a`<div class="note warn-ink"><${wl} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${X} at=${e.at} />)</span></div>`:null}var ns="date",ip=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mon\
day","until Monday"],["released","until somebody hands it back"],[ns,"until a date …"]];function xl({until:e,onUntil:t,required:n}){let s=ip.some(([r])=>r===e),
o=e===""||s?e:ns;return a`<${Ie} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${ip.map(([r,i])=>a`<option value=${r} selected=${o===r}>leave it alone ${i}</option>`)}
      </select><//>
    ${o===ns&&a`<${Ie} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||ns)} /><//>`}`}function Lr({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,i]=I("");return He("operator")?a`<button class="small" onClick=${()=>i(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${Nm} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>i("")} onDone=${o} />`}`:null}function Nm({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[i,d]=I(""),[g,f]=I("tomorrow"),y=n==="keep",A=s==="it"?e:`the ${s} of ${e}`,b=async()=>{await Pe(`/api/rules/${n}`,y?{code:e,campaign:t,until:g,reason:i}:{code:e,
reason:i}),Ke(y?`Rules leave ${A} alone`:`Rules may change ${A} again`),r()};return a`<${Ge} title=${y?`Keep rules from ${A}?`:`Hand ${A} back to rules?`} act=${y?
"Keep":"Hand back"} ready=${i.trim()&&(!y||g!==ns)} onAct=${b} onClose=${o}>
    <p>${y?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${y&&a`<${xl} until=${g} onUntil=${f} required />`}
    <${Ie} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${i} onInput=${T=>d(
T.target.value)} data-first /><//>
  <//>`}var Wm=e=>{let t=e.jobs?.length>0?To(e):0,n=Ls(e);return t?`${L(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${j(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},qm=({run:e})=>["approved","rejected"].includes(e.state)?a`<${de} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${X} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${de} says=${e.why} />`,
Hm={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function Um({id:e,job:t}){let[n,s,o]=Hm[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${de} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${ne(
"jobs",e)}>Its job</a></div><//>`}function up({id:e}){let t=$e("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=I(""),o=t.data?.run,r=o?.state===
"held",i=o&&He("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&a`<button onClick=${()=>s("undo")}>${t.data.undone.length?"Undo again …":"Undo …"}</button>`}`;return a`<${Je} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&
a`<${Bs} is=${o.state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${Ma(o)}`} acts=${i}>
    <${ot} result=${t}>${d=>d.run===null?a`<${Um} id=${e} job=${d.job} />`:a`
      ${d.undone.map(g=>a`<${de} key=${g.id} says=${a`Undone by ${g.by||"somebody"}, <${X} at=${g.at} />`}><div class="acts-line"><a class="button small" href=${ne(
"rules","runs",g.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${de} level="warn" says=${Wm(d.run)} hint=${d.run.why} />`}
      ${d.run.warnings?.length>0&&a`<${de} level="warn" says=${Do(d.run)?"The stop switch held back changes of this run":`${L(d.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${d.run.warnings.slice(0,20).map(g=>a`<li class="break">${g.description}</li>`)}</ul><//>`}
      ${!r&&d.run.why&&a`<${qm} run=${d.run} />`}
      <div class="grid two-one">
        <${Bm} run=${d.run} all=${d.decisions} more=${d.more} />
        <${te} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${d.run.account}</dd>
          <dt>As of</dt><dd>${Wt(d.run.asOf)}</dd>
          <dt>Decided</dt><dd><${X} at=${d.run.at} /></dd>
          ${d.run.by&&a`<dt>By</dt><dd>${d.run.by}${d.run.reason&&`: ${d.run.reason}`}</dd>`}
          ${d.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${d.run.jobs.slice(0,20).map(g=>a`<div class="break"><a href=${ne("jobs",g)}>${g}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${Eo} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var pp=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(no(t))),lp=(e,t)=>Ca(t)&&!t.left&&!pp(e,t);function Bm({run:e,
all:t,more:n}){return a`<${te} title="Decisions" flush>${t.length===0?a`<${Te} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${rt} rows=${Ks(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${Aa} d=${s} /></td>
        <td><${Js} is=${lp(e,s)?s.wants:s.action} />${lp(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">${Rr(s)}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${hp} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${j(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function hp({d:e}){return a`<div class="break">${Vs(
e)}</div><${Xa} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${L(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:un(Number(t.result))}</div>`)}</details>`}`}var Jm={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},no=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,dp=({d:e})=>e.parts?a`<b>${e.wants}</b> <${Aa} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${xn[e.bidding.field]} ${Gs(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,Gm=({s:e})=>a`<p><b>Spend at stake: ${e.known<e.of?Object.keys(e.gross).length?`at least ${ko(e.gross)}`:"not known":ko(e.gross)}</b> <span class="soft">spent on what would change, from ${e.
from} to ${e.to}${e.known<e.of&&`; the report has all of it on ${e.known} of ${e.of} days`}</span></p>`,Km=({d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[no(
n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${Vm} s=${n} />`);function Vm({s:e}){if(!e||e.is==="wanted")return null;let t={unknown:"Canno\
t be decided now, and stays held",changed:"Out of date, and is left out"}[e.is]??"No longer wanted, and is left out";return a`<div class="note warn-ink">${t}: ${e.
why}</div>`}function Ym({id:e,left:t,setLeft:n}){let s=$e(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=$e("/api/rules/runs/"+encodeURIComponent(e)),r=d=>(d.
parts??[d]).every(g=>t.includes(no(g))),i=d=>{let g=(d.parts??[d]).map(no);n(r(d)?t.filter(f=>!g.includes(f)):[...t,...g])};return a`<${ot} result=${o}>${({run:d,
decisions:g})=>{let f=g.filter(A=>Ca(A)&&!A.left&&pp(d,A)),y=g.filter(A=>A.action==="held"&&!Ca(A));return a`${s.data?.wrong?a`<${de} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${Gm} s=${s.data.stake} />`:s.error?a`<${de} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${X} at=${d.at} /> · ${d.why}</p>
      <div class="scroll block">${f.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${Ks(f).map(A=>a`<tr key=${A.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${A.wants} of ${A.parts?`all ${A.parts.length} together`:no(
A)}`} checked=${!r(A)} onChange=${()=>i(A)} /></td><td class="break"><${dp} d=${A} /></td>
        <td class="break">${A.rule}<div class="note">${Vs(A)}</div><${Km} d=${A} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${y.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${Ks(y).map(A=>a`<tr key=${A.key}><td class="break"><${dp} d=${A} /></td><td class="break">${A.rule}<div class="note">${Vs(A)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function Zm(e,t){let{decisions:n,more:s}=await ra("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(Ca).map(no).filter(o=>!t.includes(o))}function Eo({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=I(""),[i,d]=I([]),[g,f,y]=Jm[t],A=async()=>{let{undo:b,left:T,warnings:N,state:Z}=await Pe(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,i.length?{reason:o,
only:await Zm(e,i)}:{reason:o});if(N?.length)Ke(`Run ${e} is ${Z==="held"?"approved in part":"approved"}. Not carried out: ${L(N.length,"change")}; ${N[0].description}`);else if(t!==
"undo")Ke(`Run ${e} is ${f.toLowerCase()}${f.endsWith("e")?"d":"ed"}`);else if(b)Ke(`Undoing run ${e}${T.length?`; ${T.length} not changed: ${T[0]}`:""}`);else throw new Error(
`There is nothing to undo${T.length?": "+T[0]:""}`);s()};return a`<${Ge} title=${g} act=${f} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${A} onClose=${n}>
    <p>${y}</p>
    ${t==="approve"&&a`<${Ym} id=${e} left=${i} setLeft=${d} />${i.length>0&&a`<p class="warn-ink">${L(i.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${Ie} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${b=>r(b.target.value)} data-first /><//>
  <//>`}var Xm=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function fp({
creative:e,campaign:t}){let n=$e("/api/rules/why/"+encodeURIComponent(e)+Ce({campaign:t}),["audit","rules"]);return a`<${Je} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${n.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${n.data&&a`<${Lr} code=${e} campaign=${n.data.campaigns?.[0]} kept=${n.data.kept} onDone=${n.reload} />`}>
    <${ot} result=${n}>${s=>a`
      ${s.owner&&a`<${de} level="warn" says=${`Paused by the rule ${s.owner.file}/${s.owner.rule}`} hint=${Xm(s.resumes)} />`}
      ${s.kept&&a`<${de} level="warn" says=${a`Rules leave it alone: <${wl} s=${s.kept} />`} hint=${s.kept.reason}><${Sa}>usher rules release ${s.creative}<//><//>`}
      <${te} title="Rules that may change it">${s.campaigns.length===0?a`<p class="soft">Not known: usher has never changed it, so it does not know its campaign. The page of its campaign lists them.</p>`:
s.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${s.rules.map(o=>a`<li><a href=${"#/rules"+Ce({text:o.name})} class="break">${o.name}</a> <span class="tag">${Is(
o.mode)}</span><${Ys} p=${o.paused} /><div class="small soft break">${o.says}</div></li>`)}</ul>`}<//>
      <${te} title="History">${s.pages.length===0?a`<${Te} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...s.pages].reverse().map(o=>a`<${Qm} p=${o} />`)}</ul>`}<//>`}<//>
  <//>`}function Qm({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?xn[n.bidding.
field]+" ":""}${Vt(n.before)} → ${Vt(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Vt(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Xa} metrics=${n.metrics} /><${cp} on=${e.together} />
      <div class="small faint"><${X} at=${e.at} />${n.job&&a` · job <a href=${ne("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
rule?`${e.file}/${t.rule}`:e.by} ${Du(e)}</b>
    <${hp} d=${t} /><${cp} on=${e.together} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${X} at=${e.at} /> · run <a href=${ne(
"rules","runs",e.evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state==="held"?"approved in part":e.state} by ${e.by}`:""}</div></li>`}var cp=({on:e})=>e?.length>
0&&a`<div class="soft break">one decision on ${L(e.length,"campaign")}: ${e.slice(0,5).join(", ")}${e.length>5?` and ${j(e.length-5)} more`:""}</div>`;function mp({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${up} id=${s} key=${s} />`:n==="why"&&s?a`<${fp} creative=${s} campaign=${t.campaign} key=${s} />`:
n==="backtest"?a`<${rp} params=${t} />`:a`<${e$} params=${t} />`}function e$({params:e}){let t=$e("/api/rules",["rules","overview"]),[n,s]=I(""),o=t.data?.stopped,
r=t.data&&a`${t.data.rules.length>0&&a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?He("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:He("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${Je} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${ot} result=${t}>${i=>a`
      <${t$} stopped=${i.stopped} />
      <${n$} runs=${i.runs.filter(d=>d.state==="held")} rules=${i.held} />
      <${s$} week=${i.week} rules=${i.rules} runs=${i.runs} />
      <${o$} files=${[...new Set(i.rules.map(d=>d.file))]} />
      <${d$} rules=${i.rules} text=${e.text} />
      <${f$} runs=${i.runs} />`}<//>
    ${n&&a`<${kl} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function t$({stopped:e}){return e==null?a`<${de} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${de} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function n$({runs:e,
rules:t}){let n=r=>{let i=t[r.id];return i?`${i.rules.length>1?"Rules":"Rule"} ${i.rules.join(", ")} of the file ${r.file}, for ${i.campaigns.slice(0,3).join(",\
 ")}${i.campaigns.length>3?` and ${j(i.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=I("");return a`${e.map(r=>a`<${de} key=${r.id} level="warn" says=${a`${n(
r)}: ${Ma(r)}${Ls(r)===(r.counts?.held??0)&&To(r)===0?", waiting for approval":","} <${Ya} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${He("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${ne("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${Eo} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function a$({w:e,all:t}){if(!e.pauses&&!e.earlier)return a`<span class="faint">–</span>`;
if(t.error&&!t.data)return a`not known<div class="note">${t.error}</div>`;if(!t.data)return a`<span class="faint">…</span>`;let n=t.data[e.rule];return n?a`${n.
pauses>0&&a`<b>about ${ko(n.gross)}</b>`}${n.notKnown.map(s=>a`<div class="note">not known of ${L(s.pauses,"pause")}: ${s.why}</div>`)}`:"not known"}function s$({
week:e,rules:t,runs:n}){let s=$e(e.some(f=>f.pauses||f.earlier)?"/api/rules/saved":"",["audit","rules"]);if(t.length===0)return null;let o=f=>e.reduce((y,A)=>y+
A[f],0),r=ct()-7*864e5,i=n.filter(f=>Do(f)&&Date.parse(f.at)>r).length,d=Nn(r),g=Nn(ct()-864e5);return a`<${te} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${rt} name="week" rows=${e} columns=${[
["Rule",f=>f.rule],["Paused",f=>f.pauses,!0],["Resumed",f=>f.resumes,!0],["Budgets, bids",f=>f.numbers,!0],["Waits",f=>f.held,!0],["Cannot decide on",f=>f.blind,
!0],["Saved"]]}>${f=>a`<tr key=${f.rule}>
        <td class="strong break"><a href=${"#/rules"+Ce({text:f.rule})}>${f.rule}</a></td>
        <td class="num" data-name="Paused">${j(f.pauses)}${f.earlier>0&&a`<div class="note">and ${j(f.earlier)} before, which lasted</div>`}</td><td class="num" data-name="Resumed">${j(
f.resumes)}</td><td class="num" data-name="Budgets, bids">${j(f.numbers)}</td>
        <td class="num" data-name="Waits">${f.held?a`<b class="warn-ink">${L(f.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${f.blind?
a`<b class="warn-ink">${j(f.blind)}</b>`:"0"}</td>
        <td class="whole break" data-name="Saved"><${a$} w=${f} all=${s} /></td></tr>`}<//>`}
    <div class="foot">${L(o("pauses"),"pause")}, ${L(o("resumes"),"resume")}, ${L(o("numbers"),"change")} of budgets and bids.${i>0&&` The stop switch held back\
 ${L(i,"run")}.`}</div>
    ${o("pauses")+o("earlier")>0&&a`<div class="foot">Saved is an estimate. For each of these days on which a creative was paused it counts what the creative had spent on the last complete day before the pause; what it spent all the same is subtracted. Pauses that began more than 31 days earlier, and changes of budgets and bids, are not counted.</div>`}
    <div class="foot">What they would have done on these days: ${[...new Set(t.map(f=>f.file))].map(f=>a`<a href=${"#/rules/backtest"+Ce({file:f,from:d,to:g})}>backtest of ${f}</a> `)}</div><//>`}
function o$({files:e}){let[t,n]=I("");return e.length===0?null:a`<${te} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${r$} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function r$({file:e}){let t=$e("/api/rules/preview"+Ce({file:e}));return a`<${ot} result=${t}>${n=>a`<p>${Ma({...n,state:"done"},!0)}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${rt} name="preview" rows=${Ks(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${Aa} d=${s} /></td><td><${Js} is=${s.action} />${s.wants&&a`<div class="note">${Rr(s)}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Vs(s)}</div></td></tr>`}<//>`}`}<//>`}var i$={account:", all together",creative:", each creative"},l$=e=>e.extras.filter(t=>["for","min\
_age","until","notify"].includes(t.key));function d$({rules:e,text:t=""}){if(e.length===0)return a`<${te} title="Rules"><${Te} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${Sa}>usher rules backtest FILE<//><//><//>`;
let[n,s]=I(null),[o,r]=I(null),i=e.filter(d=>`${d.name} ${d.scope} ${d.extras.map(g=>`${g.key} ${g.value}`).join(" ")} ${d.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${te} title="Rules" flush side=${e.length>8&&a`<div><${On} label="Search rules …" value=${t} onText=${d=>Qe({text:d})} /></div>`}>
    <${rt} rows=${i} columns=${[["Rule",d=>d.name],["Does",d=>d.says],["Last",d=>d.last&&Date.parse(d.last),!0],["Next",d=>d.next&&Date.parse(d.next),!0]]}>${d=>a`<tr key=${d.
name}>
        <td><span class="id">${d.name}</span> <span class="tag">${Is(d.mode)}</span><${Ys} p=${d.paused} /><div class="note">${d.scope}${i$[d.level]??""}${d.window&&
` · ${d.window}`}</div>${l$(d).map(g=>a`<div class="note">${g.key} ${g.value}</div>`)}
          ${He("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(d)} aria-label=${`Run ${d.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
d)} aria-label=${`${d.paused?"Resume":"Pause"} ${d.name}`}>${d.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${d.activeHours&&a`<div class="break">pause outside <code>${d.activeHours}</code></div>`}${d.pause&&a`<div class="break">${d.mode==="n\
otify"?"notify":"pause"} when <code>${d.pause}</code></div>`}${d.resume&&a`<div class="break">resume when <code>${d.resume}</code></div>`}${d.bidding&&a`<${h$} b=${d.
bidding} />`}</td>
        <td class="num" data-name="Last"><${X} at=${d.last} /></td>
        <td class="num" data-name="Next"><div>${d.next?a`<${X} at=${d.next} />`:a`<span class="faint">on request</span>`}${d.schedule&&a`<div class="note">${d.schedule}</div>`}</div></td></tr>`}<//>${n&&
a`<${p$} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${u$} rule=${o} onClose=${()=>r(null)} />`}${i.length===0&&a`<${Te} title="No rule matches" />`}<//>`}var c$={
act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"It r\
eports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function u$({rule:e,onClose:t}){let n=async()=>{let{id:s}=await Pe(
"/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=ne("rules","runs",s)};return a`<${Ge} title=${`Run rule ${e.name} now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${c$[e.mode]}</p>
  <//>`}function p$({rule:e,onClose:t}){let[n,s]=I(""),o=e.paused?"resume":"pause",r=async()=>{await Pe(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Ke(`Rule ${e.name} is ${o}d`)};return a`<${Ge} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${Ie} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${i=>s(
i.target.value)} data-first /><//>
  <//>`}function h$({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function f$({runs:e}){return a`<${te} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${Te} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${rt} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${ne("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${Bs} is=${t.state} /></td>
        <td class="whole">${Ma(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${X} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${L(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function kl({way:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e==="stop",
i=$e(r?"":"/api/stop"),d=async()=>{await Pe(r?"/api/stop":"/api/start",r?{reason:s}:i.data),Ke(r?"Campaign actions are stopped":"Campaign actions are started"),
n()};return a`<${Ge} title=${r?"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${r?s.trim():i.data?.stop} onAct=${d} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${!r&&a`<${ot} result=${i}>${g=>a`<p class="break">${g.stop?a`Stopped by ${g.stop.by||"somebody"}${g.stop.at&&a`, <${X} at=${g.stop.at} />`}${g.stop.reason&&
`: ${g.stop.reason}`}`:"They are on already."}</p>`}<//>`}
    ${r&&a`<${Ie} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${g=>o(g.target.
value)} data-first /><//>`}
  <//>`}function bp({params:e}){let t=e.span==="day"?"day":"",n=$e("/api/overview"+Ce({span:t}),["overview"]);return $e("/api/replays",["replays"]),$e("/api/marks"),$e(
"/api/workers"),a`<${Je} title="Overview" sub="What failed, what waits, and what happened in the last 24 hours.">
    <${ot} result=${n}>${s=>a`${!s.counted&&a`<${de} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${m$} needs=${s.
needs} lanes=${s.lanes} /><${to} />
      <div class="grid two-one">
        <div class="stack"><${_$} rows=${s.changes} before=${s.before} /></div>
        <div class="stack"><${j$} runs=${s.rules} /><${C$} rows=${s.taken} /></div>
      </div>
      <${v$} o=${s} />
      <div class="grid two-one">
        <div class="stack"><${x$} t=${s.throughput} span=${t} /><${k$} hours=${s.hours} /></div>
        <div class="stack"><${S$} p=${s.platform} /><${D$} lanes=${s.lanes} /></div>
      </div><${np} />`}<//>
  <//>`}function m$({needs:e,lanes:t}){let[n,s]=I(null),o=()=>s(null),r=br().state?.services.some(i=>i.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(i=>a`<${g$} key=${i.subject||i.says+i.about} n=${i} onAct=${()=>s(i)} />`)}</div>
    ${n&&a`<${$$} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${de} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var $p={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function $$({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${Qa} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${Er} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${Er} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${Eo} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${vp} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${kl} way="start" onClose=${n} onDone=${()=>{}} />`}function g$({n:e,onAct:t}){let n=$p[e.act]&&He($p[e.act]);return a`<div class="incident ${e.
level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${qt(e.class)}</span>${Vn(e.target)&&`: ${Vn(e.target,e.targetName)}`}`:a`<${Ot} text=${e.
says} />`}</div>
      ${e.class?a`<div class="break"><${qn} kind=${e.kind} target=${e.target} name=${e.targetName} />: <${xt} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${Ot} text=${e.
about} /></div>`}
      ${e.later?a`<${es} l=${e.later} filter=${{group:e.subject}} />`:a`<${Hn} text=${e.hint} of=${e.class} letters=${e.class&&{group:e.subject}} remedies=${e.remedies} /><${ts} since=${e.
knownSince} filter=${{group:e.subject}} />`}</div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${j(e.count)}</b> ${e.of}${e.count>1&&"s"}</span>`}${e.since&&a`<${Ya} at=${e.since} />`}${e.
recent&&a`<${b$} counts=${e.recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function b$({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${L(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${j(n)} in 1 h</span></span>`}
function v$({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${Tt} name="Throughput" meaning=${We.rows} value=${e.throughput.rows===null?"–":Kn(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":Es(e.throughput.bytes)+"/s sent"} />
    <${Tt} name="Running" meaning=${We.running} value=${j(t("running"))} note=${t("retrying")?L(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${Tt} name="Queued" meaning=${We.queued} value=${j(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${Tt} name="Done in 24 h" meaning=${We.done} value=${j(n.done)} note="jobs" href="#/jobs?state=done" />
    <${Tt} name="Dead letters" meaning=${We.letters} value=${j(e.letters)} note=${n.failed?`${j(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function w$(){let e=$e("/api/marks");return we(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var y$=[["","15 min"],["day","24 h"]];function x$({t:e,span:t}){let n=w$(),s=nn(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${te} title="Throughput" side=${a`<${Ta} label="Time" value=${t} onPick=${o=>Qe({span:o})} options=${y$} />`}>
    <${Ra} data=${s} values=${Kn} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":j(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function k$({hours:e}){let t=nn(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${te} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${Ra} height=${140} data=${t} values=${Kn} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:ol(),filled:"--c-accepted"}],["failed","--c-refused",{paths:ol(),filled:"--c-refused"}]]} /><//>`}var gp=e=>Et(
{target:e.target,name:e.targetName});function _$({rows:e,before:t}){return a`<${te} title="What changed" flush side=${a`<a class="small" href="#/audiences">Audiences</a>`}>
    ${e.length===0?a`<${Te} title=${t?"The newest jobs have changed no audience":"No job has changed an audience"}>${t&&a`They were submitted since <${X} at=${t} />.`}<//>`:
a`<${rt} name="changes" rows=${e} columns=${[["Audience",gp],["Change"],["When",n=>Date.parse(n.finished),!0]]}>${n=>a`<tr key=${n.id}><td><a class="id" href=${ne(
"audiences",n.target)}>${gp(n)}</a></td>
        <td class="whole"><a href=${ne("jobs",n.id)}>${ca(n)?a`<${Hs} r=${n} />`:`${n.kind.endsWith(".remove")?"removal":"upload"} of ${L(n.accepted,"id")}; no \
ledger says what it changed`}</a></td><td class="num" data-name="When"><${X} at=${n.finished} /></td></tr>`}<//>${t&&a`<div class="foot">of jobs that were submitted since <${X} at=${t} /></div>`}`}<//>`}
function j$({runs:e}){return a`<${te} title="What the rules did" flush side=${a`<a class="small" href="#/rules">Rules</a>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.id}>
      <div><a class="strong" href=${ne("rules","runs",t.id)}>${t.rule?`${t.file}/${t.rule}`:t.file}</a> <${Bs} is=${t.state} /></div>
      <div>${t.undoOf&&"Undo by a person: "}${Ma(t)}</div><div class="note"><${X} at=${t.at} />${t.by&&` · ${t.by}`}</div></li>`)}</ul>`}<//>`}function C$({rows:e}){
return a`<${te} title="What feeds took" flush side=${a`<a class="small" href="#/feeds">Feeds</a>`}>
    ${e.length===0?a`<${Te} title="No feed took an export" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.feed}>
      <div><a class="strong" href=${ne("jobs",t.job)}>${t.feed}</a>: ${t.rows>0?L(t.rows,"row"):"an export"} for <a href=${ne("audiences",t.audience)}>${t.label}</a></div>
      ${Ro(t.state)&&a`<div class="bad-ink">Not uploaded: its job ${t.state==="failed"?a`has failed. ${qt(t.error?.class)}`:"was cancelled"}</div>`}
      <div class="note"><${X} at=${t.at} /></div></li>`)}</ul>`}<//>`}function S$({p:e}){let[t,n]=I(!1),s=Object.entries(e.answers??{}).sort();return a`<${te} title="Platform" side=${a`<span class="badge ${e.
up?"good":"bad"}">${e.up?"up":e.refused?"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${un(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${He("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${X} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${j(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${j(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${T$} p=${e} onClose=${()=>n(!1)} />`}<//>`}function T$({p:e,onClose:t}){let[n,s]=I(""),[o,r]=I(""),i=async()=>{await Pe("/api/limit",{perSecond:Number(
n)||0,reason:o}),Ke(Number(n)?`The limit is ${un(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ge} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${i} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${un(e.configured)}.</p>
    <${Ie} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${d=>s(d.
target.value)} data-first /><//>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${d=>r(d.target.value)} /><//>
  <//>`}function D$({lanes:e}){let[t,n]=I(null);return a`<${te} title="Lanes" flush side=${He("admin")&&a`<button class="bare small" onClick=${()=>n(e.find(s=>s.
paused)??e[0])}>Pause or resume …</button>`}>
    <${rt} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,We.waiting],["Running",s=>s.running,!0,We.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:L(s.slots,"slot")+" here"}</div></td>
        <td class="num">${j(s.waiting)}</td><td class="num">${j(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${Wt(s.oldest)}>${_o(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${vp} lane=${t} lanes=${e} onClose=${()=>n(null)} />`}<//>`}function vp({lane:e,lanes:t,onClose:n}){let[s,o]=I(e),[r,i]=I(""),d=s.paused?"resume":"pause",g=async()=>{
await Pe(`/api/lanes/${s.name}/${d}`,{reason:r}),Ke(`Lane ${s.name} is ${d}d`)};return a`<${Ge} title=${`${s.paused?"Resume":"Pause"} lane ${s.name}?`} act=${s.
paused?"Resume":"Pause"} danger=${!s.paused} ready=${r.trim()} onAct=${g} onClose=${n}>
    ${t&&a`<${Ie} name="Lane"><select value=${s.name} onChange=${f=>o(t.find(y=>y.name===f.target.value))}>${t.map(f=>a`<option value=${f.name} selected=${f.name===
s.name}>${f.name}${f.paused?" (paused)":""}</option>`)}</select><//>`}
    <p>${s.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${f=>i(f.target.value)} data-first /><//>
  <//>`}var Cl=50,R$=20,_l="Sort the rows on this page",A$=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),Sl=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),ao=e=>Qe({after:"",page:"",...e}),xp=(e,t)=>"/api/letters"+Ce({...e,after:t,limit:Cl});function kp({params:e}){let t=A$(e),
n={...t,group:""},s=$e("/api/letters/groups"+Ce(n),["letters"]),o=$e(xp(t,_p(e).after),["letters"]),r=$e("/api/replays",["replays"]),d=[o,r].every(b=>b.data||b.
stale||b.error)&&(s.data?.groups??s.stale?.groups),g=d?d.reduce((b,T)=>b+T.count,0):0,f=d&&d.find(b=>b.group===e.group),y=e.group?f?.count??0:g,A=Object.keys(Sl(
t)).length>0;return a`<${Je} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <div class="filters">
      <${On} label="Search target or message …" value=${e.match} onText=${b=>ao({match:b,group:""})} />
      <${Yn} label="Cause" value=${e.class} onPick=${b=>ao({class:b,group:""})} options=${[["","All causes"],...Object.entries(ja).map(([b,{title:T}])=>[b,T])]} />
      <${Yn} label="Kind" value=${e.kind} onPick=${b=>ao({kind:b,group:""})} options=${ml} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>ao({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>ao({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${fn} says=${s.error} retry=${s.reload} />`}
    ${d?d.length===0?a`<${to} /><div class="card">${A?a`<${Te} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${Te} title="No dead letters">No job has failed.<//>`}</div>`:
a`<div class="grid two-one letters"><div class="stack"><${E$} filter=${t} total=${y} reasons=${d.length} params=${e} key=${JSON.stringify(t)} /></div>
        <div class="stack"><${to} ended=${!1} /><${M$} list=${d} filter=${Sl(n)} picked=${e.group} /><${to} running=${!1} /></div></div>`:!s.error&&a`<div class="card"><${kn} /></div>`}
  <//>`}function M$({list:e,filter:t,picked:n}){let[s,o]=I(null),[r,i]=I(null),[d,g]=I(!1),f=d?e:e.slice(0,8);return a`<${te} title="Causes" flush side=${a`<span class="faint small">${L(
e.length,"cause")}${e.length>1?", what costs most first":""}</span>`}>
    <ul class="causes">${f.map(y=>a`<li key=${y.group}>
        <div><b title=${y.class}>${qt(y.class)}</b> <span class="tag" title=${We.letters}>${L(y.count,"letter")}</span></div>
        <div class="note"><${qn} kind=${y.kind} target=${y.target} name=${y.targetName} /> · last <${X} at=${y.last} /></div>
        <div class="break"><${xt} text=${y.message} /></div>${wp(y)?a`<${es} l=${y.later} filter=${{group:y.group}} />`:a`<${Hn} text=${y.hint} of=${y.class} letters=${{
group:y.group}} remedies=${y.remedies} />${yp(y)&&a`<div class="note">${yp(y)}</div>`}<${ts} since=${y.knownSince} filter=${{group:y.group}} />`}
        <div class="acts-line">${He("operator")&&(wp(y)?a`<button class="small danger" onClick=${()=>i(y)} aria-label=${`Discard ${L(y.count,"letter")}: ${y.message}`}>Discard …</button>`:
a`<button class="small" onClick=${()=>o(y)} aria-label=${`Fix and replay ${L(y.count,"letter")}: ${y.message}`}>Fix and replay …</button>`)}
          <button class="small" aria-pressed=${n===y.group} onClick=${()=>ao({group:n===y.group?"":y.group})}>${n===y.group?"Show all":"Only these"}</button></div>
      </li>`)}</ul>
    ${e.length>f.length&&a`<div class="foot"><button class="small" onClick=${()=>g(!0)}>Show all ${j(e.length)} causes</button></div>`}
    ${s&&a`<${Qa} cause=${s} filter=${{...t,group:s.group}} onClose=${()=>o(null)} />`}
    ${r&&a`<${Ao} filter=${{...t,group:r.group}} count=${r.count} why=${r.later.why} onClose=${()=>i(null)} onDone=${()=>{}} />`}<//>`}var wp=e=>(e.needless??0)+
(e.superseded??0)===e.count,yp=e=>[e.needless&&`${j(e.needless)} of them can be discarded: ${e.needless===1?"a later job has":"later jobs have"} done what they \
should do`,e.superseded&&`${j(e.superseded)} of them would undo what later jobs did`].filter(Boolean).join("; "),jl=new Map,Fr={all:!1,seqs:[]};function O$(e,t){
let n=t.letters.map(r=>r.seq),s=n[0]??1/0,o=t.more?n.at(-1)??1/0:0;return e.filter(r=>n.includes(r)||r<o||r>s)}function _p(e){let t=(e.after??"").split(",").filter(
Boolean),n=t.length?Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+Ce({...e,after:o.slice(-R$).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",
earlier:n>1&&s(t.slice(0,-1),n-1),later:o=>s([...t,o],n+1)}}function E$({filter:e,total:t,reasons:n,params:s}){let{page:o,after:r,earlier:i,later:d}=_p(s),g=JSON.
stringify(e),f=jl.get(g)??Fr,[,y]=I(0),A=q=>{jl.set(g,q),y(ht=>ht+1)},[b,T]=I(null),N=$e(xp(e,r),["letters"]),Z=N.data??N.stale,ue=f.all?t:f.seqs.length,Se=f.all?
Sl(e):{seqs:f.seqs},ae=()=>A(Fr),ut=q=>{let ht=f.all?Z.letters.map(pt=>pt.seq):f.seqs;A({all:!1,seqs:ht.includes(q)?ht.filter(pt=>pt!==q):[...ht,q]})};if(we(()=>{
let q=jl.get(g)??Fr;if(!N.data||q.all)return;let ht=O$(q.seqs,N.data);ht.length<q.seqs.length&&A({all:!1,seqs:ht})},[N.data]),!Z)return N.error?a`<${fn} says=${N.
error} retry=${N.reload} />`:a`<div class="card"><${kn} /></div>`;let kt=Z.letters.map(q=>q.seq),gt=f.all||kt.length>0&&kt.every(q=>f.seqs.includes(q)),an=He("o\
perator");return a`${N.error&&a`<${fn} says=${N.error} retry=${N.reload} />`}<section class="card" inert=${!N.data} aria-busy=${!N.data}>
      <div class="top"><h2>Letters</h2><button class="bare small below" onClick=${()=>document.querySelector(".causes").scrollIntoView()}>${L(n,"cause")} ↓</button>${an&&
t>0&&a`<button class="small" onClick=${()=>A({all:!0,seqs:[]})}>Select all ${j(t)} that match</button>`}</div>
      <div class="flush"><${rt} look=${`cards ${an?"ticks":""}`} rows=${Z.letters} columns=${[["Job",q=>q.id,!1,_l],["Why",q=>q.class,!1,_l],["When",q=>Date.parse(
q.at),!0,_l]]}
        first=${an&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${gt} onChange=${()=>A(gt?Fr:{all:!1,seqs:[...new Set([...f.
seqs,...kt])]})} /></th>`}>${q=>a`<tr key=${q.seq}>
          ${an&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${q.seq}`} checked=${f.all||f.seqs.includes(q.seq)} onChange=${()=>ut(q.seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>T({show:q})}>${q.id??"no id"}</button><div class="note"><${qn} kind=${q.kind} target=${q.target} name=${q.
targetName} /></div></td>
          <td class="whole"><b title=${q.class}>${qt(q.class)}</b><div class="break"><${xt} text=${q.message} /></div>${q.later&&a`<div class="note break">${q.later.
needless?a`<span class="good-ink">Can be discarded</span>: ${q.later.why}`:`Superseded: ${pl(q.later)}`}</div>`}${q.knownSince&&a`<div class="note">Not known here whether a later job has done it</div>`}</td>
          <td class="num" data-name="When"><div><${X} at=${q.at} /><div class="note">letter ${q.seq}</div></div></td></tr>`}<//></div>
      ${kt.length===0&&a`<${Te} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(o>1||Z.more)&&a`<div class="foot"><span class="acts">${i?a`<a class="button small" href=${i}>Newer</a>`:a`<button class="small" disabled>Newer</button>`}</span>
        <span>page ${j(o)}${t>Cl?` of ${j(Math.max(o,Math.ceil(t/Cl)))}`:""}, newest first</span>
        <span class="acts">${Z.more?a`<a class="button small" href=${d(kt.at(-1))}>Older</a>`:a`<button class="small" disabled>Older</button>`}</span></div>`}
    </section>
    ${an&&ue>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${L(ue,"letter")}</b> selected${f.all?", all that match":""}</span>
      <button class="bare" onClick=${ae}>Clear</button>
      <button class="danger" onClick=${()=>T({discard:!0})}>Discard …</button>
      <button onClick=${()=>T({edit:!0})}>Edit …</button>
      <button class="primary" onClick=${()=>T({fix:!0})}>Fix and replay …</button></div>`}
    ${b?.fix&&a`<${Qa} filter=${Se} onClose=${()=>T(null)} onDone=${ae} />`}
    ${b?.show&&a`<${Nu} letter=${b.show} onClose=${()=>T(null)} onEdit=${()=>T({edit:!0,letter:b.show})} onDiscard=${()=>T({discard:!0,letter:b.show})} />`}
    ${b?.discard&&a`<${Ao} filter=${b.letter?{seqs:[b.letter.seq]}:Se} count=${b.letter?1:ue} why=${b.letter?.later?.why} onClose=${()=>T(null)} onDone=${ae} />`}
    ${b?.edit&&a`<${Wu} filter=${b.letter?{seqs:[b.letter.seq]}:Se} letter=${b.letter??(f.seqs.length===1&&Z.letters.find(q=>q.seq===f.seqs[0]))}
      onClose=${()=>T(null)} onDone=${q=>!b.letter&&!f.all&&A({all:!1,seqs:q})} />`}`}var jp=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,Dl=.95;function I$({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${j(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${j(e.paused)}</b> paused`}${e.
pending>0&&`, ${j(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function P$({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+Ce({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${j(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function L$({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${vr(
e.spent)}${t!==null&&` of ${vr(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=Dl?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=Dl?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var F$=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${ne("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${I$} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${P$} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:jp,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${L$} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${ne("rules","runs",e.heldRun)}>${j(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${X} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],Tl={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>jp(e)>=Dl};function Cp({params:e}){let t=$e("/api/campaigns",["campaigns","rules"]);return a`<${Je} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${ot} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(f=>f.code.toLowerCase().includes(o)),i=r.filter(Tl[e.only]??
Tl[""]),d=f=>r.filter(Tl[f]).length,g=n.filter(f=>!f.at).length;return a`<div class="filters"><${On} label="Search campaigns …" value=${e.text} onText=${f=>Qe(
{text:f})} />
          <${Ta} label="Which" value=${e.only} onPick=${f=>Qe({only:f})} options=${[["","All",r.length],["paused","With pauses",d("paused")],["held","Held",d("h\
eld")],["spent","95 % spent",d("spent")]]} /></div>
        ${s&&a`<${de} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${te} flush>${i.length===0?a`<${Te} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pl\
atform lists no campaigns for this advertiser."}<//>`:a`<${Zs} label="Campaigns" columns=${F$} rows=${i.slice(0,500)} params=${e} id=${f=>f.code} href=${f=>ne("\
campaigns",f.code)} />
            <div class="foot"><span>${L(i.length,"campaign")}${i.length>500?", the first 500 are shown":""}</span>${g>0&&a`<span>the creatives of ${j(g)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var Sp="The platform's times have no zone, so they are shown as the platform sends them.";function Rp({code:e}){let t=$e("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=I([]),[o,r]=I(""),i=t.data,d=He("operator"),g=f=>s(n.includes(f)?n.filter(y=>y!==f):[...n,f]);return a`<${Je} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${i&&a`${L(i.creatives.length,"creative")}, ${j(i.creatives.filter(f=>f.status==="ACTIVE").length)} active`}
      acts=${i&&d&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?j(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?j(n.length):"all"} …</button>`}>
    <${ot} result=${t}>${f=>a`
      ${f.holder&&a`<${de} level="warn" says=${`Locked by ${f.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${f.lockError&&a`<${de} level="warn" says="It is not known whether a worker has locked this campaign" hint=${f.lockError} />`}
      ${f.jobs.map(y=>a`<${de} key=${y.id} says=${a`<${Va} is=${y.state} /> ${kr(y.kind,y.target)}`} hint=${y.why||y.id} where=${ne("jobs",y.id)} />`)}
      ${f.partial&&a`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs"+Ce(
{state:"queued,running,retrying",text:e})}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${te} title="Creatives" flush>${f.creatives.length===0?a`<${Te} title="No creatives" />`:a`<${rt} look=${`cards ${d?"ticks":""}`} rows=${f.
creatives} columns=${[["Creative",y=>y.code],["Status",y=>y.status],["Last change on the platform",y=>y.updated||null,!0]]}
          first=${d&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===f.creatives.length} onChange=${()=>s(n.length?
[]:f.creatives.map(y=>y.code))} /></th>`}>${y=>a`<tr key=${y.code}>${d&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${y.code}`} checked=${n.includes(
y.code)} onChange=${()=>g(y.code)} /></td>`}
            <td class="strong break"><a class="id" href=${ne("rules","why",y.code)+Ce({campaign:e})} title="Its history">${y.code}</a><${yl} s=${f.kept[y.code]} />${y.
message&&a`<div class="note">${y.message}</div>`}</td><td><${Va} is=${y.status} /></td>
            <td class="num" data-name="Changed">${y.updated?a`<span class="nowrap" title=${Sp}>${y.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${f.creatives.some(y=>y.updated)&&a`<div class="foot">${Sp}</div>`}`}<//><${N$} creatives=${f.creatives} changes=${f.changes} /></div>
        <div class="stack"><${z$} rules=${f.rules??[]} kept=${f.kept[e]} code=${e} /><${H$} entries=${f.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${B$} code=${e} verb=${o} creatives=${n} all=${i.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function z$({rules:e,kept:t,code:n}){return a`<${te} title="Rules in scope" side=${a`<${Lr} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${yl} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+Ce({text:s.
name})} class="break">${s.name}</a> <span class="tag">${Is(s.mode)}</span><${Ys} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var Tp=28;function N$({creatives:e,changes:t}){let n=Array.from({length:Tp},(r,i)=>Nn(ct()-(Tp-1-i)*864e5)),s=[...Pr([...t].reverse(),r=>r.creative,r=>Nn(r.at))].
sort(([r],[i])=>r.localeCompare(i,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${Ir} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,i])=>[r,W$(n,i,o.get(r))])} />`}function W$(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],i=r.map(
d=>`${cn(d.at)} ${Vt(d.before)} → ${Vt(d.after)} by ${[d.by,d.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${i||Vt(n)}`}),n=r[0]?.before||n}return s}function q$(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function H$({entries:e,code:t}){return a`<${te} title="History" side=${a`<a class="small" href=${"\
#/audit"+Ce({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${q$(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${Dp} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${j(s.length)} more by this job</summary>${s.map(o=>a`<${Dp} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Xa} metrics=${n.metrics} /><div class="small faint"><${X} at=${n.at} /></div></li>`)}</ul>`}<//>`}var Dp=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?xn[e.bidding.field]:"campaign")}</b> <span class="small">${Vt(e.before)} → ${Vt(e.after)}${e.after!==e.wanted?` (wanted ${Vt(e.wanted)})`:""}</span></div>`;
function U$({code:e,creatives:t}){let n=$e(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${de} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${de} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${j(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${X} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function B$({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[i,d]=I(""),[g,f]=I(""),y=n.length||s,A=async()=>{let{id:b}=await Pe(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:i,keep:g});Ke(`${t==="pause"?"Pausing":"Resuming"} ${L(y,"creative")}: job ${b}`),r()};return a`<${Ge} title=${`${t==="pause"?"Pau\
se":"Resume"} ${L(y,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${i.trim()&&g!==ns} onAct=${A} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${U$} code=${e} creatives=${n} />`}
    <${xl} until=${g} onUntil=${f} />
    <${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${i} onInput=${b=>d(b.target.
value)} data-first /><//>
  <//>`}var J$=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],Rl=50,zr="Sort the rows on this page",G$=[["\
When",e=>Date.parse(e.at),!1,zr],["Who",e=>e.rule||e.actor,!1,zr],["What",e=>e.creative||e.after||e.wanted,!1,zr],["Why",e=>e.reason,!1,zr]];function Ap({params:e}){
let t=e.span&&new Date(Math.floor(ct()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(Rl,Number(e.limit)||Rl),o=$e("/api/audit"+Ce({...n,limit:s}),["audit"]),r=o.data??o.stale,i=["campaign","actor","job","rule"].filter(d=>e[d]);return a`<${Je} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+Ce({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+Ce(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${On} label="Search actor, reason, creative, job …" value=${e.match} onText=${d=>Qe({match:d,limit:""})} />
      <${Yn} label="Time" value=${e.span} onPick=${d=>Qe({span:d,limit:""})} options=${J$} />
    </div>
    ${i.length>0&&a`<div class="filters">${i.map(d=>a`<button class="small" onClick=${()=>Qe({[d]:""})} aria-label=${`Remove the filter ${d}`}>${d}: ${e[d]} ×</button>`)}</div>`}
    ${o.error&&a`<${fn} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${Te} title=${e.match||i.length||e.span?"Nothing matches":"No actions yet"}>Changes by rules and people, approvals, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${rt} columns=${G$} rows=${r.entries}>${(d,g)=>a`<tr key=${d.at+d.job+d.creative+g}>
          <td data-name="When"><${X} at=${d.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+Ce(d.rule?{rule:d.rule}:{actor:d.actor})}>${d.rule||d.actor||"–"}</a></td>
          <td class="whole"><${K$} a=${d} /></td>
          <td class="whole break">${d.reason}<${Xa} metrics=${d.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${L(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>Qe({limit:String(
Math.min(s+Rl,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${j(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${kn} />`}</section>
  <//>`}function K$({a:e}){let t=e.job&&a`<div class="note">job <a href=${ne("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Vt(e.before)} → ${Vt(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Vt(e.wanted)})</span>`:
""}
      ${e.campaign&&a`<div class="note">campaign <a href=${ne("campaigns",e.campaign)}>${e.campaign}</a></div>`}${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.
before?` (was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var V$=[["","Overview",hn.overview],["audiences","Audiences",hn.audiences],["feeds","Feeds",hn.feeds],["jobs","Jobs",hn.jobs],["letters","Dead letters",hn.letters],
["campaigns","Campaigns",hn.campaigns],["rules","Rules",hn.rules],["audit","Audit",hn.audit]],Mp=([,e,...t])=>t.length?`${e==="campaign"?"target":e} ${t.join("/")}`:
e;function Y$({names:e,params:t}){let[n="",s]=e;switch(n){case"":return a`<${bp} params=${t} />`;case"jobs":return s?a`<${Ju} id=${s} key=${s} />`:a`<${Vu} params=${t} />`;case"\
letters":return a`<${kp} params=${t} />`;case"audiences":return s==="overlap"?a`<${Zu} params=${t} />`:s?a`<${Qu} target=${Mp(e)} key=${Mp(e)} />`:a`<${Au} params=${t} />`;case"\
feeds":return a`<${Mu} params=${t} />`;case"campaigns":return s?a`<${Rp} code=${s} key=${s} />`:a`<${Cp} params=${t} />`;case"rules":return a`<${mp} names=${e.slice(
1)} params=${t} />`;case"audit":return a`<${Ap} params=${t} />`}return a`<${Je} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}vu();
function Z$(){let[e,t]=I(Ws());return we(()=>{let n=()=>t(Ws()),s=Sr(n);return n(),s},[]),a`<button class="bare small" onClick=${qs} aria-label=${e?"Light colou\
rs":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${hn.theme}</span></button>`}function X$(){return a`<button class="bare small" onClick=${()=>Rs(
!An())} title=${An()?"Times are in UTC; show them in this computer's zone":`Times are in this computer's zone, ${Ms()}; show them in UTC`} aria-label=${An()?"Ti\
mes in UTC":`Times in ${Ms()}, this computer's zone`}>${Ms()}</button>`}function Q$({onLeave:e}){let t=au(),n=$e("/api/overview",["letters","overview"]),s=_u(t.
names),o=n.data?.letters??0,r=()=>Pe("/api/logout").then(()=>e("You have logged out."),i=>e(i.message));return a`<a class="skip" href="#main" onClick=${i=>{i.preventDefault(),
document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${hn.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${V$.map(([i,d,g])=>a`<a href="#/${i}" aria-current=${(t.names[0]??"")===i?"page":void 0}>${g}<span>${d}</span>
            ${i==="letters"&&o>0&&a`<span class="count" aria-label=${L(o,"dead letter")}>${o>999?"999+":j(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${Ne.user}</b><span class="faint small">${Ne.role}</span></div>
          <div class="row"><${Z$} /><${X$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${hn.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${ju} status=${s} />${Y$(t)}</main>
    </div><${xu} /><${fu} />`}var Al={expired:"Your session has expired: sessions end after two hours without use, and after twelve hours.",forgotten:"usher doe\
s not know your session any more: it was restarted and had not stored it.",barred:"Your password has changed, you may not log in any more, or the proxy names an\
other user.",unread:"usher cannot check your session, because NATS does not respond. This page tries it again by itself."};function eg(){let[e,t]=I(Ne.user),[n,
s]=I(Al[Ne.absent]),[,o]=I(0);we(()=>{Qc(async()=>{Ne.user&&(xo(),Ne.user="",await Os().catch(()=>{}),s(Al[Ne.absent]??"Your session has ended: you have logged \
out in another tab."),t(""))}),window.addEventListener("zone",()=>o(d=>d+1))},[]);let r=async()=>{await Os(),s(Al[Ne.absent]),t(Ne.user),Ne.user&&Ki()},i=d=>{xo(),
Ne.user="",s(d),t("")};return e?a`<${Q$} key=${An()?"utc":"local"} onLeave=${i} />`:a`<${Cu} why=${n} onIn=${r} />`}function Op(){let[e]=Mn().names;e!=="overvie\
w"&&(e!=="login"||!Ne.user)||(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")))}window.addEventListener("hashchange",Op);Object.
assign(Ne,JSON.parse(document.getElementById("session").textContent));Op();Ne.user&&Ki();var Ep=document.getElementById("app");Ep.replaceChildren();Pi(a`<${eg} />`,
Ep);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
