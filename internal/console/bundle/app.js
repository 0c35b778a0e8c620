/* Generated from 2bb07e0b67d2ec75430664c196fabd99192365accd8a627cf1a3b4cb8dcdc598; see licenses.txt. */
var lr,et,wc,Dh,xa,$c,yc,xc,ji,nr,bo,kc,Ti,Ci,Si,Rh,or={},rr=[],Ah=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,dr=Array.isArray;function sa(e,t){
for(var n in t)e[n]=t[n];return e}function Di(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function Ri(e,t,n){var s,o,r,i={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:i[r]=t[r];if(arguments.length>2&&(i.children=arguments.length>3?lr.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
i[r]===void 0&&(i[r]=e.defaultProps[r]);return ar(e,i,s,o,null)}function ar(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++wc,__i:-1,__u:0};return o==null&&et.vnode!=null&&et.vnode(r),r}function cr(e){return e.children}function sr(e,t){this.props=e,this.context=t}function Ka(e,t){if(t==null)return e.__?Ka(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?Ka(e):null}function Mh(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=sa({},
t);r.__v=t.__v+1,et.vnode&&et.vnode(r),Ai(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??Ka(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,Tc(s,r,o),
t.__e=t.__=null,r.__e!=n&&_c(r)}}function _c(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),_c(e)}function gc(e){(!e.__d&&(e.__d=!0)&&xa.push(e)&&!ir.__r++||$c!=et.debounceRendering)&&(($c=et.debounceRendering)||yc)(ir)}function ir(){
try{for(var e,t=1;xa.length;)xa.length>t&&xa.sort(xc),e=xa.shift(),t=xa.length,Mh(e)}finally{xa.length=ir.__r=0}}function jc(e,t,n,s,o,r,i,c,w,f,y){var A,b,T,N,
Z,ue,Se=s&&s.__k||rr,ae=t.length;for(w=Oh(n,t,Se,w,ae),A=0;A<ae;A++)(T=n.__k[A])!=null&&(b=T.__i!=-1&&Se[T.__i]||or,T.__i=A,ue=Ai(e,T,b,o,r,i,c,w,f,y),N=T.__e,T.
ref&&b.ref!=T.ref&&(b.ref&&Mi(b.ref,null,T),y.push(T.ref,T.__c||N,T)),Z==null&&N!=null&&(Z=N),4&T.__u?(w=Cc(T,w,e),b.__e&&(b.__e=null)):typeof T.type=="function"&&
ue!==void 0?w=ue:N&&(w=N.nextSibling),T.__u&=-7);return n.__e=Z,w}function Oh(e,t,n,s,o){var r,i,c,w,f,y=n.length,A=y,b=0;for(e.__k=new Array(o),r=0;r<o;r++)(i=
t[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i=="string"||typeof i=="number"||typeof i=="bigint"||i.constructor==String?i=e.__k[r]=ar(null,i,null,
null,null):dr(i)?i=e.__k[r]=ar(cr,{children:i},null,null,null):i.constructor===void 0&&i.__b>0?i=e.__k[r]=ar(i.type,i.props,i.key,i.ref?i.ref:null,i.__v):e.__k[r]=
i,w=r+b,i.__=e,i.__b=e.__b+1,c=null,(f=i.__i=Eh(i,n,w,A))!=-1&&(A--,(c=n[f])&&(c.__u|=2)),c==null||c.__v==null?(f==-1&&(o>y?b--:o<y&&b++),typeof i.type!="functi\
on"&&(i.__u|=4)):f!=w&&(f==w-1?b--:f==w+1?b++:(f>w?b--:b++,i.__u|=4))):e.__k[r]=null;if(A)for(r=0;r<y;r++)(c=n[r])!=null&&(2&c.__u)==0&&(c.__e==s&&(s=Ka(c)),Rc(
c,c));return s}function Cc(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=Cc(s[o],t,n));return t}e.__e!=t&&(t&&
e.type&&!t.parentNode&&(t=Ka(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function Eh(e,t,n,s){var o,r,i,c=e.key,w=e.type,f=t[n],y=f!=null&&(2&f.__u)==0;if(f===null&&c==null||y&&c==f.key&&w==f.type)return n;if(s>(y?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((f=t[i=o>=0?o--:r++])!=null&&(2&f.__u)==0&&c==f.key&&w==f.type)return i}return-1}function bc(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||Ah.test(t)?n:n+"px"}function tr(e,t,n,s,o){var r,i;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||bc(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||bc(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
kc,"$1")),i=t.toLowerCase(),t=i in e||t=="onFocusOut"||t=="onFocusIn"?i.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[bo]=s[bo]:(n[bo]=Ti,e.addEventListener(
t,r?Si:Ci,r)):e.removeEventListener(t,r?Si:Ci,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function vc(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[nr]==null)t[nr]=Ti++;else if(t[nr]<n[bo])return;return n(et.event?et.event(t):t)}}}function Ai(e,t,n,s,o,r,i,c,w,f){var y,A,b,T,N,Z,
ue,Se,ae,ut,kt,gt,an,U,ft,pt,ht=t.type;if(t.constructor!==void 0)return null;128&n.__u&&(w=!!(32&n.__u),r=[c=t.__e=n.__e]),(y=et.__b)&&y(t);e:if(typeof ht=="fun\
ction"){A=i.length;try{if(ae=t.props,ut=ht.prototype&&ht.prototype.render,kt=(y=ht.contextType)&&s[y.__c],gt=y?kt?kt.props.value:y.__:s,n.__c?Se=(b=t.__c=n.__c).
__=b.__E:(ut?t.__c=b=new ht(ae,gt):(t.__c=b=new sr(ae,gt),b.constructor=ht,b.render=Ph),kt&&kt.sub(b),b.state||(b.state={}),b.__n=s,T=b.__d=!0,b.__h=[],b._sb=[]),
ut&&b.__s==null&&(b.__s=b.state),ut&&ht.getDerivedStateFromProps!=null&&(b.__s==b.state&&(b.__s=sa({},b.__s)),sa(b.__s,ht.getDerivedStateFromProps(ae,b.__s))),N=
b.props,Z=b.state,b.__v=t,T)ut&&ht.getDerivedStateFromProps==null&&b.componentWillMount!=null&&b.componentWillMount(),ut&&b.componentDidMount!=null&&b.__h.push(
b.componentDidMount);else{if(ut&&ht.getDerivedStateFromProps==null&&ae!==N&&b.componentWillReceiveProps!=null&&b.componentWillReceiveProps(ae,gt),t.__v==n.__v||
!b.__e&&b.shouldComponentUpdate!=null&&b.shouldComponentUpdate(ae,b.__s,gt)===!1){t.__v!=n.__v&&(b.props=ae,b.state=b.__s,b.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(Oe){Oe&&(Oe.__=t)}),rr.push.apply(b.__h,b._sb),b._sb=[],b.__h.length&&i.push(b),c=Ka(n);break e}b.componentWillUpdate!=null&&b.componentWillUpdate(
ae,b.__s,gt),ut&&b.componentDidUpdate!=null&&b.__h.push(function(){b.componentDidUpdate(N,Z,ue)})}if(b.context=gt,b.props=ae,b.__P=e,b.__e=!1,an=et.__r,U=0,ut)b.
state=b.__s,b.__d=!1,an&&an(t),y=b.render(b.props,b.state,b.context),rr.push.apply(b.__h,b._sb),b._sb=[];else do b.__d=!1,an&&an(t),y=b.render(b.props,b.state,b.
context),b.state=b.__s;while(b.__d&&++U<25);b.state=b.__s,b.getChildContext!=null&&(s=sa(sa({},s),b.getChildContext())),ut&&!T&&b.getSnapshotBeforeUpdate!=null&&
(ue=b.getSnapshotBeforeUpdate(N,Z)),ft=y!=null&&y.type===cr&&y.key==null?Dc(y.props.children):y,c=jc(e,dr(ft)?ft:[ft],t,n,s,o,r,i,c,w,f),b.base=t.__e,t.__u&=-161,
b.__h.length&&i.push(b),Se&&(b.__E=b.__=null)}catch(Oe){if(i.length=A,t.__v=null,w||r!=null){if(Oe.then){for(t.__u|=w?160:128;c&&c.nodeType==8&&c.nextSibling;)c=
c.nextSibling;r!=null&&(r[r.indexOf(c)]=null),t.__e=c}else if(r!=null)for(pt=r.length;pt--;)Di(r[pt])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),Oe.then||Sc(
t),et.__e(Oe,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):c=t.__e=Ih(n.__e,t,n,s,o,r,i,w,f);return(y=et.diffed)&&y(t),128&t.__u?void 0:c}function Sc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(Sc))}function Tc(e,t,n){for(var s=0;s<n.length;s++)Mi(n[s],n[++s],n[++s]);et.__c&&et.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){et.__e(r,o.__v)}})}function Dc(e){return typeof e!="object"||e==null||e.__b>0?e:dr(e)?e.map(Dc):e.constructor!==
void 0?null:sa({},e)}function Ih(e,t,n,s,o,r,i,c,w){var f,y,A,b,T,N,Z,ue=n.props||or,Se=t.props,ae=t.type;if(ae=="svg"?o="http://www.w3.org/2000/svg":ae=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(f=0;f<r.length;f++)if((T=r[f])&&"setAttribute"in T==!!ae&&(ae?T.localName==
ae:T.nodeType==3)){e=T,r[f]=null;break}}if(e==null){if(ae==null)return document.createTextNode(Se);e=document.createElementNS(o,ae,Se.is&&Se),c&&(et.__m&&et.__m(
t,r),c=!1),r=null}if(ae==null)ue===Se||c&&e.data==Se||(e.data=Se);else{if(r=ae=="textarea"&&Se.defaultValue!=null?null:r&&lr.call(e.childNodes),!c&&r!=null)for(ue=
{},f=0;f<e.attributes.length;f++)ue[(T=e.attributes[f]).name]=T.value;for(f in ue)T=ue[f],f=="dangerouslySetInnerHTML"?A=T:f=="children"||f in Se||f=="value"&&"\
defaultValue"in Se||f=="checked"&&"defaultChecked"in Se||tr(e,f,null,T,o);for(f in Se)T=Se[f],f=="children"?b=T:f=="dangerouslySetInnerHTML"?y=T:f=="value"?N=T:
f=="checked"?Z=T:c&&typeof T!="function"||ue[f]===T||tr(e,f,T,ue[f],o);if(y)c||A&&(y.__html==A.__html||y.__html==e.innerHTML)||(e.innerHTML=y.__html),t.__k=[];else if(A&&
(e.innerHTML=""),jc(t.type=="template"?e.content:e,dr(b)?b:[b],t,n,s,ae=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,i,r?r[0]:n.__k&&Ka(n,0),c,w),r!=null)
for(f=r.length;f--;)Di(r[f]);c&&ae!="textarea"||(f="value",ae=="progress"&&N==null?e.removeAttribute("value"):N!=null&&(N!==e[f]||ae=="progress"&&!N||ae=="optio\
n"&&N!=ue[f])&&tr(e,f,N,ue[f],o),f="checked",Z!=null&&Z!=e[f]&&tr(e,f,Z,ue[f],o))}return e}function Mi(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u=="\
function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){et.__e(o,n)}}function Rc(e,t,n){var s,o;if(et.unmount&&et.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||Mi(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){et.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&Rc(s[o],t,n||typeof e.type!="function");n||Di(e.__e),e.__c=e.__=e.__e=void 0}function Ph(e,t,n){return this.constructor(e,n)}function Oi(e,t,n){
var s,o,r,i;t==document&&(t=document.documentElement),et.__&&et.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],i=[],Ai(t,e=(!s&&n||t).__k=Ri(cr,null,
[e]),o||or,or,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?lr.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,i),Tc(r,e,i),e.props.children=null}lr=rr.slice,et={__e:function(e,t,n,s){for(var o,r,i;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),i=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),i=o.__d),i)return o.__E=o}catch(c){e=c}throw e}},wc=0,Dh=function(e){return e!=null&&e.constructor===
void 0},sr.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=sa({},this.state),typeof e=="function"&&(e=e(sa({},n),
this.props)),e&&sa(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),gc(this))},sr.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),gc(this))},
sr.prototype.render=cr,xa=[],yc=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,xc=function(e,t){return e.__v.__b-t.__v.__b},
ir.__r=0,ji=Math.random().toString(8),nr="__d"+ji,bo="__a"+ji,kc=/(PointerCapture)$|Capture$/i,Ti=0,Ci=vc(!1),Si=vc(!0),Rh=0;var Mc=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var i=t[r++],c=t[r]?(t[0]|=i?1:2,n[t[r++]]):t[++r];i===3?s[0]=c:i===4?s[1]=Object.assign(s[1]||
{},c):i===5?(s[1]=s[1]||{})[t[++r]]=c:i===6?s[1][t[++r]]+=c+"":i?(o=e.apply(c,Mc(e,c,n,["",null])),s.push(o),c[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(c)}return s},
Ac=new Map;function Oc(e){var t=Ac.get(this);return t||(t=new Map,Ac.set(this,t)),(t=Mc(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,i="",c="",w=[0],f=function(b){
r===1&&(b||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?w.push(0,b,i):r===3&&(b||i)?(w.push(3,b,i),r=2):r===2&&i==="..."&&b?w.push(4,b,0):r===2&&i&&!b?w.push(5,0,!0,
i):r>=5&&((i||!b&&r===5)&&(w.push(r,0,i,o),r=6),b&&(w.push(r,b,0,o),r=6)),i=""},y=0;y<n.length;y++){y&&(r===1&&f(),f(y));for(var A=0;A<n[y].length;A++)s=n[y][A],
r===1?s==="<"?(f(),w=[w],r=3):i+=s:r===4?i==="--"&&s===">"?(r=1,i=""):i=s+i[0]:c?s===c?c="":i+=s:s==='"'||s==="'"?c=s:s===">"?(f(),r=1):r&&(s==="="?(r=5,o=i,i=""):
s==="/"&&(r<5||n[y][A+1]===">")?(f(),r===3&&(w=w[0]),r=w,(w=w[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(f(),r=2):i+=s),r===3&&i==="!--"&&(r=4,w=w[0])}return f(),w})(e)),t),arguments,[])).length>1?t:t[0]}var vo,yt,Ei,Ec,pr=0,qc=[],St=et,Ic=St.__b,Pc=St.__r,Fc=St.diffed,Lc=St.__c,zc=St.unmount,Nc=St.__;function Pi(e,t){St.__h&&St.__h(yt,e,pr||t),pr=0;var n=yt.__H||
(yt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function I(e){return pr=1,Fh(Uc,e)}function Fh(e,t,n){var s=Pi(vo++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):Uc(void 0,t),function(c){var w=s.__N?s.__N[0]:s.__[0],f=s.t(w,c);w!==f&&(s.__N=[f,s.__[1]],s.__c.setState({}))}],s.__c=yt,!yt.__f)){var o=function(c,w,f){
if(!s.__c.__H)return!0;var y=!1,A=s.__c.props!==c;if(s.__c.__H.__.some(function(T){if(T.__N){y=!0;var N=T.__[0];T.__=T.__N,T.__N=void 0,N!==T.__[0]&&(A=!0)}}),r){
var b=r.call(this,c,w,f);return y?b||A:b}return!y||A};yt.__f=!0;var r=yt.shouldComponentUpdate,i=yt.componentWillUpdate;yt.componentWillUpdate=function(c,w,f){if(this.
__e){var y=r;r=void 0,o(c,w,f),r=y}i&&i.call(this,c,w,f)},yt.shouldComponentUpdate=o}return s.__N||s.__}function xe(e,t){var n=Pi(vo++,3);!St.__s&&Hc(n.__H,t)&&
(n.__=e,n.u=t,yt.__H.__h.push(n))}function Mt(e){return pr=5,nn(function(){return{current:e}},[])}function nn(e,t){var n=Pi(vo++,7);return Hc(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function Lh(){for(var e;e=qc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ur),t.__h.some(Ii),t.__h=[]}catch(n){t.__h=[],St.__e(n,e.__v)}}}St.__b=function(e){
yt=null,Ic&&Ic(e)},St.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Nc&&Nc(e,t)},St.__r=function(e){Pc&&Pc(e),vo=0;var t=(yt=e.__c).__H;t&&(Ei===yt?(t.
__h=[],yt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(ur),t.__h.some(Ii),t.__h=[],vo=0)),Ei=yt},St.diffed=function(e){Fc&&Fc(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(qc.push(t)!==1&&Ec===St.requestAnimationFrame||((Ec=St.requestAnimationFrame)||zh)(Lh)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),Ei=yt=null},St.__c=function(e,t){t.some(function(n){try{n.__h.some(ur),n.__h=n.__h.filter(function(s){return!s.__||Ii(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],St.__e(s,n.__v)}}),Lc&&Lc(e,t)},St.unmount=function(e){zc&&zc(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{ur(s)}catch(o){t=o}}),n.__H=void 0,t&&St.__e(t,n.__v))};var Wc=typeof requestAnimationFrame=="function";function zh(e){var t,n=function(){clearTimeout(s),Wc&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);Wc&&(t=requestAnimationFrame(n))}function ur(e){var t=yt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
yt=t}function Ii(e){var t=yt;e.__c=e.__(),yt=t}function Hc(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function Uc(e,t){return typeof t==
"function"?t(e):t}var a=Oc.bind(Ri);var ka=!1;try{ka=localStorage.getItem("zone")==="utc"}catch{}var An=()=>ka;function Ts(e){ka=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var Bc=0,dt=()=>Date.now()+Bc;function Jc(e){Bc=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var Fi=new Map,Ds=e=>{let t=ka?"UTC":void 0;return Fi.
has(ka)||Fi.set(ka,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries(Fi.get(ka).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},Rs=(e=dt())=>Ds(e).timeZoneName,Nn=e=>{let t=Ds(
e);return`${t.year}-${t.month}-${t.day}`},cn=e=>{let t=Ds(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},Nt=e=>`${Nn(e)} ${cn(e)}`,Nh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],Li=e=>{let t=Ds(e);return`${Number(t.day)} ${Nh[t.month-1]}`},hr=e=>{let t=Ds(e);return`${Nn(e)===
Nn(dt())?"":Li(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},zi=e=>`${Li(e)} ${cn(e)}`;function Ni(e,t=0){let[n,s,o]=e.split("-").map(Number);return(ka?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function Gc(e,t){let n="";return e.map(s=>{let o=Ds(s*1e3),r=Li(s*1e3),i=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:`${o.hour}:${o.minute}:${o.second}`;if(!i)return r;let c=r===n?i:`${i}
${r}`;return n=r,c})}var Ne={user:"",role:"",csrf:"",ways:[],absent:""},Kc={viewer:1,operator:2,admin:3},He=e=>(Kc[Ne.role]??0)>=Kc[e],Ui=()=>{},Yc=e=>{Ui=e};async function Zc(e,t,n){
let s={Accept:"application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=Ne.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===
void 0?void 0:JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().
catch(()=>({}));if(o.status===401&&!t.startsWith("/api/login")&&Ui(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),
{lost:o.status===503,gone:o.status===404,refused:o.status>=400&&o.status<500});return r}var ra=e=>Zc("GET",e),Pe=(e,t={})=>Zc("POST",e,t);async function As(){let e=await ra(
"/api/session");return(e.absent!=="unread"||!Ne.user)&&Object.assign(Ne,{user:"",role:"",csrf:"",absent:""},e),Ne}function Ce(e){let t=new URLSearchParams;for(let[
s,o]of Object.entries(e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Gn=null,Vc=!1;function Wi(e){for(let t of _a.values())(e.includes(
"*")||e.some(n=>t.topics.has(n)))&&t.changed(e.includes("letters")&&t.topics.has("letters"))}var oa={state:null,at:Date.now()},Wh=3500,fr=()=>({state:oa.state,heard:oa.
at,cut:Date.now()-oa.at>Wh});function qi(){Gn||document.hidden||!Ne.user||(oa.at=Date.now(),Gn=new EventSource("/api/live"),Vc&&(Gn.onopen=()=>Wi(["*"])),Vc=!0,
Gn.onmessage=e=>Wi(e.data.split(",")),Gn.addEventListener("health",e=>{let t=s=>(s?.services??[]).filter(o=>o.since).map(o=>o.name).join(),n=oa.state;Object.assign(
oa,{state:JSON.parse(e.data),at:Date.now()}),oa.state.at.startsWith("0001")||Jc(Date.parse(oa.state.at)),n&&t(n)!==t(oa.state)&&Wi(["*"])}),Gn.onerror=()=>{Gn?.
readyState===EventSource.CLOSED&&(Gn=null,setTimeout(async()=>{await As().then(e=>e.user||e.absent==="unread",()=>!0)?qi():Ui()},2e3))})}function wo(){Gn?.close(),
Gn=null}function Bi(){document.addEventListener("visibilitychange",()=>document.hidden?wo():qi()),window.addEventListener("pagehide",wo),qi()}var _a=new Map,qh=1500,
Hh=500,Hi=class{state={data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){this.path=t,this.load()}async load(){
if(this.busy){this.again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state={data:await ra(this.path),error:"",lost:!1}}catch(t){
this.state={data:t.gone?null:this.state.data,error:t.message,lost:t.lost,refused:t.refused}}this.busy=!1;for(let t of this.drawn)t();this.again&&this.changed()}changed(t=!1){
if(this.busy){this.again=!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>_a.get(this.path)===this&&this.load(),Math.max(0,this.sent+(t?Hh:qh)-Date.
now()))}};function $e(e,t=[]){let[,n]=I(0),s=Mt(null),o=e?_a.get(e)??new Hi(e):null;o&&(_a.set(e,o),t.forEach(f=>o.topics.add(f))),xe(()=>{if(!o)return;let f=()=>n(
y=>y+1);return o.drawn.add(f),_a.has(e)||(_a.set(e,o),o.changed()),(o.state.data||o.state.error)&&f(),()=>{o.drawn.delete(f),o.drawn.size===0&&_a.get(e)===o&&_a.
delete(e)}},[o]);let{data:r,error:i,lost:c,refused:w}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=r),{data:r,stale:s.current,error:i,lost:c,refused:w,
reload:()=>o?.load()}}var Ji=new Intl.NumberFormat("en",{maximumFractionDigits:0}),Uh=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),Xc=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),Bh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),j=e=>Ji.format(e??0),mr=e=>Xc.format(e??0),$r=e=>Object.entries(e).map(
([t,n])=>`${mr(n)} ${t}`.trim()).join(", ")||"nothing",Kn=e=>e<1e4?Ji.format(e):Uh.format(e),un=e=>Number.isInteger(e)?Ji.format(e):Math.abs(e)>=100?Xc.format(e):
Bh.format(e),F=(e,t,n=t+"s")=>`${j(e)} ${e===1?t:n}`;function Ms(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?
e.toFixed(1):Math.round(e)} ${t[n]}`}function pn(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?
`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.floor(e/86400)} d ${Math.floor(e%86400/3600)}\
 h`}function yo(e,t=dt()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.floor(s)} s`;else if(s<3600)o=`${Math.floor(
s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=F(Math.floor(s/86400),"day");else return Nn(e);return n<0?`in ${o}`:`${o} ago`}var Wn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
hn={overview:Wn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Wn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
feeds:Wn(a`<path d="M12 3v10M8 9l4 4 4-4M4 15v5h16v-5" />`),jobs:Wn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Wn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),
campaigns:Wn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),rules:Wn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),
workers:Wn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),audit:Wn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Wn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Wn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var xo=[["h","","Overview"],["a","audiences","Audiences"],["f","feeds","Feeds"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],
["r","rules","Rules"],["u","audit","Audit"]];function Mn(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).join(
"/"),names:e.split("/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function eu(){let[e,t]=I(Mn());return xe(()=>{
let n=()=>t(Mn());return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function gr(e){let t=Mt(e);t.current=e,xe(
()=>{let n=()=>t.current();return window.addEventListener("popstate",n),()=>window.removeEventListener("popstate",n)},[])}function te(...e){return"#/"+e.map(encodeURIComponent).
join("/")}function Qe(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:Mn().params},s=new URLSearchParams;for(let[c,w]of Object.
entries({...n,...e}))w&&s.set(c,w);let o=s.toString(),r="#"+t+(o&&"?"+o),i=["text","match"].find(c=>c in e)??"";r!==location.hash&&(i&&history.state?.typed===i?
history.replaceState(history.state,"",r):history.pushState({typed:i},"",r),window.dispatchEvent(new Event("hashchange")))}history.scrollRestoration="manual";var Gi=0,
ia=null;window.addEventListener("scroll",()=>{clearTimeout(Gi),ia||(Gi=setTimeout(()=>history.replaceState({...history.state,y:window.scrollY},""),150))},{passive:!0});
var Qc=["wheel","touchstart","pointerdown","keydown"],tu=()=>{};function nu(){let e=ia!==null;return tu(),e}function au(e,t){ia?.();let n=!t;tu=()=>{n=!0,ia&&s()};
let s=()=>{n&&(window.scrollTo(0,e),window.scrollY>=e-1&&ia?.())},o=new ResizeObserver(s),r=setTimeout(()=>ia?.(),5e3),i=()=>{ia=null,o.disconnect(),clearTimeout(
r),Qc.forEach(c=>window.removeEventListener(c,i))};ia=i,Qc.forEach(c=>window.addEventListener(c,i,{passive:!0})),o.observe(document.body)}var su=Mn().path;window.
addEventListener("hashchange",()=>{su=Mn().path});window.addEventListener("popstate",e=>{clearTimeout(Gi),ia?.(),e.state?.y>0&&au(e.state.y,Mn().path!==su)});history.
state?.y>0&&au(history.state.y);var Jh=/^[\w\-./,:=@%+]+$/,Ki=e=>Jh.test(e)?e:`'${e.replaceAll("'","'\\''")}'`;function Vi({seqs:e,replay:t,through:n,...s}){if(!t)return e?e.join(" "):Object.entries(
s).filter(([,o])=>o).map(([o,r])=>`--${o} ${Ki(String(r))}`).join(" ")}var Gh=["segment","campaign","advertiser"];function Yi(e,t={},{force:n,rate:s,reason:o}={}){
let r=Vi(e);if(r===void 0)return[];let i=o?` --reason ${Ki(o)}`:"",c=`${n?" --force":""}${s?` --rate ${s}/s`:""}${i}`,w=Object.entries(t);if(!w.length)return[`u\
sher dead replay ${r}${c}`];let f=`usher dead edit ${r}${w.map(([A,b])=>` --set ${Ki(`${A}=${b}`)}`).join("")}${i}`;return e.seqs||!e.id&&w.some(([A])=>Gh.includes(
A))?[f,`usher dead replay SEQ…${c}`]:[`${f} && usher dead replay ${r}${c}`]}var ou=(e,t)=>[...t.map(n=>Object.fromEntries(n.map(s=>[s.field,s.value]))),{}].flatMap(
n=>Yi(e,n));var ja={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
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
title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},Wt=e=>ja[e]?.
title??e,ko={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},Kh=e=>ko[e]?.[0]??e,Vn=(e,t)=>(/\(removed\)/.test(e)?"":t?
`${t} (${e.replace(/^segment /,"")})`:e??"").replace(/^target /,"devices of ").replace(/^campaign /,""),vr=(e,t,n)=>ko[e]&&/\S \S/.test(t??"")&&Vn(t)?ko[e][1](Vn(
t,n)):Kh(e),We={queued:"Jobs that no worker has begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last\
 attempt failed, and whose next attempt has a time.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not\
 their dead letters were discarded since.",cancelled:"Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs th\
at wait for a person: neither replayed nor discarded.",rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane t\
hat run, or wait for their next attempt.",waiting:"Jobs of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the expo\
rt, whatever became of them.",new:"Accepted ids that were no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has a\
ccepted; in a dry run, those that would be sent.",ids:"Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last\
 job.",change:"Ids that the last job which changed the audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the \
rows read.",open:"Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative w\
ould have been paused.",pauses:"Creatives that the rules would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and imp\
ressions of the days on which a creative would have been paused."},Zi={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},Vh={released:"\
rules may change it"},Kt=e=>Zi[e]??Vh[e]??e,Yh={zero_id:"zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder\
, such as null",macro:"macro that was not filled in",header:"repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known \
shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},la=e=>Yh[e]??e.replaceAll(
"_"," "),xn={budget:"daily budget",bid:"maximum bid"},_o={segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File",
"source.column":"Column of ids","source.typeColumn":"Column of types","source.only":"Rows taken, such as consent=yes","source.disregard":"Columns that decide no\
thing",input:"Form of the ids","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","source.sheet":"Sheet","source.skip":"Lines \
to skip","source.quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete export","source.compression":"Compressio\
n","source.cut":"Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut off","source.anyVersion":"UUIDs of any\
 version",reason:"Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",force:"Although it removes more than i\
s allowed",dryRun:"Sends nothing",acceptChange:"Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals allowed, in per\
cent",maxRejectPercent:"Rejected rows allowed, in percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows allowed, in per\
cent"},da=e=>_o[e]??e,Xi=e=>e.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>la(n)).replace(/\bwithheld\.(\S+?)(?=:?(?:\s|$))/g,
"left out by $1").replace(/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,(t,n,s)=>_o[s.replaceAll("/",".")]?`${n}“${_o[s.replaceAll("/",".")]}”`:t),Zh={act:"acts",
approve:"asks first",notify:"notifies",observe:"only records"},Os=e=>Zh[e]??e,br=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b|"(force|acceptChange)": true/,
Xh=/([;.:] )/,ru=e=>/\busher (?!dead edit)[a-z]/.test(e);function wr(e){if(!br.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>br.test(r)?"":o).replace(
/, see [^,;]*/g,o=>br.test(o)?"":o).split(Xh),n="",s=!1;for(let o=0;o<t.length;o+=2)s=br.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(
/^(or|and|then) /,"").replace(/[;:.\s]+$/,"")}var Qh=new RegExp(Object.keys(_o).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)\
?\\b${e.replace(".","\\.")}\\b`).join("|"),"g");function iu(e){let t=[],n=0;for(let s of e.matchAll(Qh)){let o=s[0].replace(/^--(set )?/,"");t.push(e.slice(n,s.
index),{name:o,title:_o[o]}),n=s.index+s[0].length}return[...t,e.slice(n)]}var Es={observe:"mode: observe",disabled:"actions of the configuration",kept:"a perso\
n",hands_off:"a change that somebody else made",pending:"the platform's approval",pause_wanted:"another rule",decrease_wanted:"another rule",bound:"its min or m\
ax",cooldown:"cooldown",flips:"max_flips_per_day",keep_active:"keep_active",cap:"its limits",stop:"the stop switch"},yr={kept:"kept by people",hands_off:"left a\
lone because others paused or changed them",pending:"not approved by the platform",pause_wanted:"not resumed because of another rule",decrease_wanted:"not incre\
ased because of another rule",bound:"at min or max"},lu=["cap","approval"],Ca=e=>e.action==="held"&&lu.includes(e.guard),Is=e=>e.approvals?.length&&e.state!=="a\
pproved"?e.approvals.at(-1).waiting.length+(e.leftOut?.length??0):e.guards?lu.reduce((t,n)=>t+(e.guards[n]??0),0):e.counts?.held??0;var du=!0;function Je({title:e,sub:t,crumb:n,acts:s,children:o}){let r=Mt(null);return xe(()=>{document.title=`${e} · usher`},[e]),xe(()=>{let i=nu();du||(r.current?.
focus({preventScroll:!0}),i||window.scrollTo(0,0)),du=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function ee({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var ef={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},el=e=>ef[e]??"",Va=({
is:e})=>a`<span class="badge ${el(e)}" title=${Zi[e]?`the platform says ${e}`:We[e]}>${Kt(e)}</span>`,qn=({kind:e,target:t,name:n})=>a`<span title=${e}>${vr(e,t,
n)}</span>`,Qi=new Set;setInterval(()=>Qi.forEach(e=>e(dt())),5e3);function Ps(){let[e,t]=I(dt());return xe(()=>(Qi.add(t),()=>Qi.delete(t)),[]),Math.max(e,dt()-
5e3)}function ne({at:e}){return Ps(),e?a`<time class="nowrap" datetime=${e} title=${Nt(e)}>${yo(e)}</time>`:a`<span class="faint none">–</span>`}function Ya({
at:e}){let t=Ps();return a`<time datetime=${e} title=${Nt(e)}>since <span class="nowrap">${hr(e)}</span>, <span class="nowrap">${yo(e,t).replace(" ago","")}</span></time>`}
var xt=({text:e})=>a`<span title=${Xi(e)===e?void 0:e}><${qt} text=${Xi(e)} /></span>`,Fs=({l:e})=>e&&a`<div class="looking" role="status">
  ${e.error?a`<span class="bad-ink">Older jobs cannot be read: ${e.error}</span>`:a`<progress max=${e.of} value=${e.looked} aria-label="Jobs looked through"></progress><span>Looked through ${j(
e.looked)} of ${j(e.of)} jobs so far</span>`}</div>`,Ls=(e,t)=>t?e?j(e)+"+":"…":j(e),Te=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,kn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
tf=({text:e})=>iu(e).map(t=>t.title?a`<span title=${t.name}>“${t.title}”</span>`:t),nf=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:a`<${tf} text=${t} />`),
qt=({text:e})=>typeof e=="string"?a`<${nf} text=${wr(e)||e} />`:e;function Hn({text:e,of:t,onFix:n,letters:s,remedies:o=[]}){let r=ja[t],i=typeof e=="string"?wr(
e):e,c=r?.then==="Then replay."?/\breplay\b/i.test(i):/\bdiscard\b/.test(i),w=r&&!c&&(i?r.then:r.todo),f=typeof e=="string"&&i!==e&&(!r||ru(e))&&e,y=s?ou(s,o):[];
return!i&&!w&&!f?null:a`<div class="hint">${i&&a`<${qt} text=${i} />`}${i&&w&&(/[.!?]$/.test(i)?" ":". ")}${w&&a`<${af} text=${w} onFix=${n} />`}
    ${(f||y.length>0)&&a`<${zs}>${f&&a`<span>${f.split("`").map((A,b)=>b%2?a`<code>${A}</code>`:A)}</span>`}${y.map(A=>a`<code key=${A}>${A}</code>`)}<//>`}</div>`}
var zs=({children:e})=>a`<details class="small terminal"><summary>In the terminal</summary>${e}</details>`,Sa=({children:e})=>a`<${zs}><code>${e}</code><//>`;function af({
text:e,onFix:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<button class="bare lane" onClick=${t}>Fix and replay</button>${s.join("Fi\
x and replay")}`}function fn({says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${Hn} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function de({level:e="",says:t,hint:n,of:s,onFix:o,letters:r,remedies:i,where:c,children:w}){
let f=a`<div><div class="says"><${qt} text=${t} /></div>${c?n&&a`<div class="hint"><${qt} text=${n} /></div>`:a`<${Hn} text=${n} of=${s} onFix=${o} letters=${r} remedies=${i} />`}${w}</div>`;
return c?a`<a class="callout ${e}" href=${c}>${f}</a>`:a`<div class="callout ${e}">${f}</div>`}function ct({result:e,children:t}){return e.data?a`${e.error&&!e.
lost&&a`<${fn} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${fn} says=${e.error} retry=${e.reload} />`:a`<div class="card"><${kn} /></div>`}var Tt=({
name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:i})=>{let c=a`<div class="name">${e}</div><div class="value ${r?"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&
a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${i}>${c}</a>`:a`<div class="figure" title=${i}>${c}</div>`};function On({value:e,
onText:t,label:n}){let[s,o]=I(e??""),r=Mt(0);return xe(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${i=>{o(i.target.
value),clearTimeout(r.current);let c=i.target.value;r.current=setTimeout(()=>t(c),250)}} />`}var Yn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,Ta=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,i,c])=>a`<button title=${c} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${i!==void 0&&a` <small>${typeof i=="number"?j(i):i}</small>`}</button>`)}</div>`;
function Ge({title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:i,ready:c=!0,children:w}){let f=Mt(null),[y,A]=I(!1),[b,T]=I("");return gr(i),xe(()=>{
let Z=document.activeElement,ue=f.current;return ue.showModal(),(ue.querySelector("[data-first]")??ue.querySelector("input,textarea,select"))?.focus(),()=>{ue.close(),
Z?.focus?.()}},[]),a`<dialog ref=${f} class=${o?"wide":""} aria-label=${e} onCancel=${Z=>{Z.preventDefault(),i()}}
      onMouseDown=${Z=>Z.target===f.current&&i()}>
    <form onSubmit=${async Z=>{if(Z.preventDefault(),!(y||!c)){A(!0),T("");try{await r(),i()}catch(ue){T(ue.message),A(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${w}${b&&a`<div class="callout bad" role="alert"><${Hn} text=${b} /></div>`}</div>
      <footer>
        <button type="button" onClick=${i}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${y||!c}>${y?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var Ie=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,cu=()=>{},Ke=(e,t)=>cu({text:wr(
e)||e,bad:t,key:Math.random()});function uu(){let[e,t]=I([]);return cu=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var pu=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},tl=e=>{try{return localStorage.getItem(e)}catch{return null}},hu="(prefers-color-scheme: dark)",Ns=()=>(document.
documentElement.dataset.theme??(matchMedia(hu).matches?"dark":"light"))==="dark";function kr(e){let t=matchMedia(hu);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function fu(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function Ws(){let e=Ns()?"light":"dark";fu(e),pu("theme",e)}var xr=()=>document.documentElement.dataset.rows==="compa\
ct";function mu(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function _r(){mu(!xr()),pu("rows",xr()?"compac\
t":"roomy")}function $u(){tl("theme")&&fu(tl("theme")),mu(tl("rows")==="compact")}var sf=12,Da=e=>()=>{location.hash=e},of=e=>[...xo.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:Da("#/"+n)})),{name:"Backtest of rules",kind:"page",act:Da(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:Da("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:Da("#/audiences?only=problem\
s")},{name:Ns()?"Light colours":"Dark colours",kind:"setting",key:"t",act:Ws},{name:An()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>Ts(
!An())},{name:xr()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:_r},{name:"Keys",kind:"help",key:"?",act:e}];function gu({onClose:e,onHelp:t}){let n=Mt(
null),[s,o]=I(""),[r,i]=I(0),[c,w]=I([]);gr(e),xe(()=>{let b=document.activeElement;return n.current.showModal(),ra("/api/audiences").then(({audiences:T})=>w(N=>[
...N,...T.map(Z=>({name:Z.target,kind:"audience",act:Da(te("audiences",Z.target))}))]),()=>{}),ra("/api/campaigns").then(({campaigns:T})=>w(N=>[...N,...T.map(Z=>({
name:Z.code,kind:"campaign",act:Da(te("campaigns",Z.code))}))]),()=>{}),()=>b?.isConnected&&b.focus?.({preventScroll:!0})},[]);let f=nn(()=>{let b=s.toLowerCase().
split(/\s+/).filter(Boolean),T=[...of(t),...c].filter(N=>b.every(Z=>`${N.name} ${N.kind}`.toLowerCase().includes(Z))).slice(0,sf);return/^\S+$/.test(s.trim())&&
T.push({name:`Open the job ${s.trim()}`,kind:"job",act:Da(te("jobs",s.trim()))}),s.trim()&&T.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:Da(
"#/jobs?text="+encodeURIComponent(s.trim()))}),T},[s,c]),y=b=>{e(),b?.act()},A=b=>{let T={ArrowDown:1,ArrowUp:-1}[b.key];T&&(b.preventDefault(),i((r+T+f.length)%
f.length)),b.key==="Enter"&&(b.preventDefault(),y(f[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${b=>{b.preventDefault(),e()}} onMouseDown=${b=>b.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${b=>{o(b.target.value),i(0)}} onKeyDown=${A} />
    <ul role="listbox" id="found" aria-label="Found">${f.map((b,T)=>a`<li role="option" id=${`found-${T}`} aria-selected=${T===r} onMouseMove=${()=>i(T)} onClick=${()=>y(
b)}><span>${b.name}</span><span class="faint small">${b.key?a`<kbd>${b.key}</kbd>`:b.kind}</span></li>`)}</ul>
  </dialog>`}var rf=/Mac|iPhone|iPad/.test(navigator.platform),lf=[[rf?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...xo.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],df=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),cf=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function bu(e){
let t=cf();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var uf=()=>document.querySelector("main .at input[type=checkbox]")?.click(),pf=()=>document.querySelector("main input[type=search]")?.focus();function vu(){let[
e,t]=I("");xe(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||df(r)||document.querySelector("dialog[open]"))return;let i=Date.now()-s<1500&&xo.find(([w])=>w===r.key);if(s=0,i){location.hash="#/"+i[1];return}let c={
g:()=>{s=Date.now()},"/":pf,"?":()=>t("help"),j:()=>bu(1),k:()=>bu(-1),x:uf,z:_r,t:Ws,d:()=>Ts(!An())}[r.key];c&&(r.preventDefault(),c())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${gu} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ge} title="Keys" onClose=${n}><dl class="facts keys">${lf.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function yu(e){let[t,n]=I(Date.now());xe(()=>{let N=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(N)},[]);let{state:s,heard:o,cut:r}=fr(),i=(s?.services??
[]).filter(N=>N.since),[c="",w]=e,f=c===""||c==="jobs"&&!w,y=c==="campaigns"?["NATS","Platform"]:["NATS"],A=i.filter(N=>y.includes(N.name)),b=s&&new Date(f&&!s.
figures.startsWith("0001")?s.figures:A.length?A[0].since:s.at),T=b?(new Date(s.at)-b+t-o)/1e3:0;return{state:s,lost:i,cut:r,heard:o,asOf:b,age:Math.max(0,T),stale:r||
A.length>0,well:!r&&i.length===0}}function xu({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:i}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let c=t.some(f=>f.name==="NATS"),w=f=>n||c&&f.name==="NATS writes"?"":f.since?"off":"on";return a`<div class="status">
      ${e.services.map(f=>a`<span key=${f.name} class="service ${w(f)}"><i></i>${f.name}<span class="sr">${{on:" works",off:" is lost"}[w(f)]??" unknown"}</span></span>`)}
      <span class="nowrap">${F(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest+Math.max(0,Date.now()-s)/1e3)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&Nt(o)}>as of ${i?cn(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${wu} key="page" says=${`This page has no connection to usher since ${cn(s)}; figures are from ${cn(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(f=>a`<${wu} key=${f.name} hint=${f.hint} why=${f.why}
        says=${`${f.says} since ${cn(f.since)}${i?`; figures are from ${cn(o)}`:""}.`} />`)}
    </div>`}var wu=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${Hn} text=${n} />${t&&a`<div class="faint small"><${xt} text=${t} /></div>`}</div></div>`;function ku({why:e,onIn:t}){let[n,s]=I(""),[o,r]=I(!1),[i,c]=I(""),[w,f]=I(""),y=Ne.ways??[],A=async(T,N)=>{r(!0),s("");try{await Pe(T,N),await t()}catch(Z){s(Z.
message),r(!1)}},b=()=>{let{names:T}=Mn();return T[0]!=="login"||!T[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),A("/\
api/login/link",{Token:T[1]}),!0)};return xe(()=>(document.title="Log in · usher",window.addEventListener("hashchange",b),!b()&&y.includes("proxy")&&A("/api/lo\
gin/proxy",{}),Ne.ways?.length||As().catch(T=>s(T.message)),()=>window.removeEventListener("hashchange",b)),[]),xe(()=>{if(Ne.absent!=="unread")return;let T=setInterval(
()=>t().catch(()=>{}),2e3);return()=>clearInterval(T)},[e]),a`<div class="login"><div class="box">
    <div class="brand">${hn.brand}usher</div>
    <p class="soft" role="status">${e??"Log in to see what usher does."}</p>
    ${y.includes("password")&&a`<form onSubmit=${T=>{T.preventDefault(),A("/api/login",{User:i,Password:w})}}>
      <${Ie} name="Name"><input type="text" autocomplete="username" required autofocus value=${i} onInput=${T=>c(T.target.value)} /><//>
      <${Ie} name="Password"><input type="password" autocomplete="current-password" required value=${w} onInput=${T=>f(T.target.value)} /><//>
      <button class="primary" disabled=${o}>${o?"Logging in …":"Log in"}</button>
    </form>`}
    ${y.includes("link")&&a`<p class="soft">${o?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${y.includes("proxy")&&a`<button disabled=${o} onClick=${()=>A("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${n&&a`<div class="callout bad" role="alert"><div>${n}</div></div>`}
  </div></div>`}function ca(e){let t=e.consequence;return t?`${e.dryRun?"would be ":""}+${j(t.added)}, −${j(t.removed)}, ${e.dryRun?"then":"now"} ${j(t.now)}`:e.new===void 0?
"":`+${j(e.new)} of ${j(e.accepted)} accepted`}var hf=e=>Object.entries(e??{}).sort((t,n)=>n[1]-t[1]).map(([t,n])=>`${j(n)} ${la(t)}`).join(", ");function qs({r:e}){
let t=ca(e),n=hf(e.rejected);return a`${t&&a`<span class=${e.consequence?.large?"bad-ink":""}>${t}</span>`}${t&&n&&"; "}${n&&a`rejected: ${n}`}`}var ff=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",i="left",c="right",w="#000",f=w+"0",y="mousemove",A="mousedown",b="mou\
seup",T="mouseenter",N="mouseleave",Z="dblclick",ue="change",Se="dppxchange",ae="--",ut=typeof window<"u",kt=ut?document:null,gt=ut?window:null,an=ut?navigator:
null,U,ft;function pt(l,u){if(u!=null){let $=l.classList;!$.contains(u)&&$.add(u)}}function ht(l,u){let $=l.classList;$.contains(u)&&$.remove(u)}function Oe(l,u,$){
l.style[u]=$+"px"}function Et(l,u,$,p){let g=kt.createElement(l);return u!=null&&pt(g,u),$?.insertBefore(g,p),g}function Vt(l,u){return Et("div",l,u)}let Ao=new WeakMap;
function _n(l,u,$,p,g){let _="translate("+u+"px,"+$+"px)";_!=Ao.get(l)&&(l.style.transform=_,Ao.set(l,_),0>u||0>$||u>p||$>g?pt(l,e):ht(l,e))}let no=new WeakMap;
function Mo(l,u,$){let p=u+$;p!=no.get(l)&&(no.set(l,p),l.style.background=u,l.style.borderColor=$)}let ao=new WeakMap;function ts(l,u,$,p){let g=u+""+$;g!=ao.get(
l)&&(ao.set(l,g),l.style.height=$+"px",l.style.width=u+"px",l.style.marginLeft=p?-u/2+"px":0,l.style.marginTop=p?-$/2+"px":0)}let se={passive:!0},Yt={...se,capture:!0};
function mn(l,u,$,p){u.addEventListener(l,$,p?Yt:se)}function ns(l,u,$){u.removeEventListener(l,$,se)}function En(l,u,$,p){let g;$=$||0;let _=2147483647>=(p=p||
u.length-1);for(;p-$>1;)g=_?$+p>>1:gn(($+p)/2),l>u[g]?$=g:p=g;return l-u[$]>u[p]-l?p:$}function Dl(l){return(u,$,p)=>{let g=-1,_=-1;for(let x=$;p>=x;x++)if(l(u[x])){
g=x;break}for(let x=p;x>=$;x--)if(l(u[x])){_=x;break}return[g,_]}}ut&&(function l(){let u=devicePixelRatio;U!=u&&(U=u,ft&&ns(ue,ft,l),ft=matchMedia(`(min-resolu\
tion: ${U-.001}dppx) and (max-resolution: ${U+.001}dppx)`),mn(ue,ft,l),gt.dispatchEvent(new CustomEvent(Se)))})();let Rl=l=>l!=null,Al=l=>l!=null&&l>0,Oo=Dl(Rl),
Mp=Dl(Al);function Eo(l,u,$,p){let g=El(l),_=El(u);l==u&&(g==-1?(l*=$,u/=$):(l/=$,u*=$));let x=$==10?Xn:Il,D=_==1?jn:gn,M=(g==1?gn:jn)(x(Dt(l))),R=D(x(Dt(u))),E=as(
$,M),C=as($,R);return $==10&&(0>M&&(E=Ye(E,-M)),0>R&&(C=Ye(C,-R))),p||$==2?(l=E*g,u=C*_):(l=ql(l,E),u=Fo(u,C)),[l,u]}function Fr(l,u,$,p){let g=Eo(l,u,$,p);return l==
0&&(g[0]=0),u==0&&(g[1]=0),g}let Lr=.1,Ml={mode:3,pad:Lr},so={pad:0,soft:null,mode:0},Op={min:so,max:so};function Io(l,u,$,p){return Lo($)?Ol(l,u,$):(so.pad=$,so.
soft=p?0:null,so.mode=p?3:0,Ol(l,u,Op))}function Le(l,u){return l??u}function Ol(l,u,$){let p=$.min,g=$.max,_=Le(p.pad,0),x=Le(g.pad,0),D=Le(p.hard,-Ve),M=Le(g.
hard,Ve),R=Le(p.soft,Ve),E=Le(g.soft,-Ve),C=Le(p.mode,0),q=Le(g.mode,0),X=u-l,J=Xn(X),Y=sn(Dt(l),Dt(u)),we=Xn(Y),pe=Dt(we-J);(1e-24>X||pe>10)&&(X=0,l!=0&&u!=0||
(X=1e-24,C==2&&R!=Ve&&(_=0),q==2&&E!=-Ve&&(x=0)));let H=X||Y||1e3,be=Xn(H),K=as(10,gn(be)),oe=Ye(ql(l-H*(X==0?l==0?.1:1:_),K/10),24),G=R>l||C!=1&&(C!=3||oe>R)&&
(C!=2||R>oe)?Ve:R,ke=sn(D,G>oe&&l>=G?G:In(G,oe)),_e=Ye(Fo(u+H*(X==0?u==0?.1:1:x),K/10),24),De=u>E||q!=1&&(q!=3||E>_e)&&(q!=2||_e>E)?-Ve:E,Ae=In(M,_e>De&&De>=u?De:
sn(De,_e));return ke==Ae&&ke==0&&(Ae=100),[ke,Ae]}let Ep=new Intl.NumberFormat(ut?an.language:"en-US"),zr=l=>Ep.format(l),$n=Math,Po=$n.PI,Dt=$n.abs,gn=$n.floor,
Rt=$n.round,jn=$n.ceil,In=$n.min,sn=$n.max,as=$n.pow,El=$n.sign,Xn=$n.log10,Il=$n.log2,Nr=(l,u=1)=>$n.asinh(l/u),Ve=1/0;function Pl(l){return 1+(0|Xn((l^l>>31)-
(l>>31)))}function Wr(l,u,$){return In(sn(l,u),$)}function Fl(l){return typeof l=="function"}function Ee(l){return Fl(l)?l:()=>l}let Ll=l=>l,zl=(l,u)=>u,Ip=()=>null,
Nl=()=>!0,Wl=(l,u)=>l==u,Pp=/\.\d*?(?=9{6,}|0{6,})/gm,Ia=l=>{if(Ul(l)||ua.has(l))return l;let u=""+l,$=u.match(Pp);if($==null)return l;let p=$[0].length-1;if(u.
indexOf("e-")!=-1){let[g,_]=u.split("e");return+`${Ia(g)}e${_}`}return Ye(l,p)};function Pa(l,u){return Ia(Ye(Ia(l/u))*u)}function Fo(l,u){return Ia(jn(Ia(l/u))*
u)}function ql(l,u){return Ia(gn(Ia(l/u))*u)}function Ye(l,u=0){if(Ul(l))return l;let $=10**u;return Rt(l*$*(1+Number.EPSILON))/$}let ua=new Map;function Hl(l){
return((""+l).split(".")[1]||"").length}function oo(l,u,$,p){let g=[],_=p.map(Hl);for(let x=u;$>x;x++){let D=Dt(x),M=Ye(as(l,x),D);for(let R=0;p.length>R;R++){let E=l==
10?+`${p[R]}e${x}`:p[R]*M,C=(0>x?D:0)+(_[R]>x?_[R]:0),q=l==10?E:Ye(E,C);g.push(q),ua.set(q,C)}}return g}let ro={},qr=[],ss=[null,null],pa=Array.isArray,Ul=Number.
isInteger;function Bl(l){return typeof l=="string"}function Lo(l){let u=!1;if(l!=null){let $=l.constructor;u=$==null||$==Object}return u}function Fp(l){return l!=
null&&typeof l=="object"}let Lp=Object.getPrototypeOf(Uint8Array),Jl="__proto__";function os(l,u=Lo){let $;if(pa(l)){let p=l.find((g=>g!=null));if(pa(p)||u(p)){
$=Array(l.length);for(let g=0;l.length>g;g++)$[g]=os(l[g],u)}else $=l.slice()}else if(l instanceof Lp)$=l.slice();else if(u(l)){$={};for(let p in l)p!=Jl&&($[p]=
os(l[p],u))}else $=l;return $}function _t(l){let u=arguments;for(let $=1;u.length>$;$++){let p=u[$];for(let g in p)g!=Jl&&(Lo(l[g])?_t(l[g],os(p[g])):l[g]=os(p[g]))}
return l}function zp(l,u,$){for(let p,g=0,_=-1;u.length>g;g++){let x=u[g];if(x>_){for(p=x-1;p>=0&&l[p]==null;)l[p--]=null;for(p=x+1;$>p&&l[p]==null;)l[_=p++]=null}}}
let Np=typeof queueMicrotask>"u"?l=>Promise.resolve().then(l):queueMicrotask,Gl=["January","February","March","April","May","June","July","August","September","\
October","November","December"],Kl=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Vl(l){return l.slice(0,3)}let Wp=Kl.map(Vl),
qp=Gl.map(Vl),Hp={MMMM:Gl,MMM:qp,WWWW:Kl,WWW:Wp};function io(l){return(10>l?"0":"")+l}let Up={YYYY:l=>l.getFullYear(),YY:l=>(l.getFullYear()+"").slice(2),MMMM:(l,u)=>u.
MMMM[l.getMonth()],MMM:(l,u)=>u.MMM[l.getMonth()],MM:l=>io(l.getMonth()+1),M:l=>l.getMonth()+1,DD:l=>io(l.getDate()),D:l=>l.getDate(),WWWW:(l,u)=>u.WWWW[l.getDay()],
WWW:(l,u)=>u.WWW[l.getDay()],HH:l=>io(l.getHours()),H:l=>l.getHours(),h:l=>{let u=l.getHours();return u==0?12:u>12?u-12:u},AA:l=>12>l.getHours()?"AM":"PM",aa:l=>12>
l.getHours()?"am":"pm",a:l=>12>l.getHours()?"a":"p",mm:l=>io(l.getMinutes()),m:l=>l.getMinutes(),ss:l=>io(l.getSeconds()),s:l=>l.getSeconds(),fff:l=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(l.getMilliseconds())};function Hr(l,u){u=u||Hp;let $,p=[],g=/\{([a-z]+)\}|[^{]+/gi;for(;$=g.exec(l);)p.push($[0][0]=="{"?Up[$[1]]:
$[0]);return _=>{let x="";for(let D=0;p.length>D;D++)x+=typeof p[D]=="string"?p[D]:p[D](_,u);return x}}let Bp=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Yl=l=>l%1==0,zo=[1,2,2.5,5],Jp=oo(10,-32,0,zo),Zl=oo(10,0,32,zo),Gp=Zl.filter(Yl),Fa=Jp.concat(Zl),Xl="{YYYY}",Ql=`
`+Xl,ed="{M}/{D}",lo=`
`+ed,No=lo+"/{YY}",td="{aa}",rs="{h}:{mm}"+td,nd=`
`+rs,ad=":{ss}",Ue=null;function sd(l){let u=1e3*l,$=60*u,p=60*$,g=24*p,_=30*g,x=365*g;return[(l==1?oo(10,0,3,zo).filter(Yl):oo(10,-3,0,zo)).concat([u,5*u,10*u,
15*u,30*u,$,5*$,10*$,15*$,30*$,p,2*p,3*p,4*p,6*p,8*p,12*p,g,2*g,3*g,4*g,5*g,6*g,7*g,8*g,9*g,10*g,15*g,_,2*_,3*_,4*_,6*_,x,2*x,5*x,10*x,25*x,50*x,100*x]),[[x,Xl,
Ue,Ue,Ue,Ue,Ue,Ue,1],[28*g,"{MMM}",Ql,Ue,Ue,Ue,Ue,Ue,1],[g,ed,Ql,Ue,Ue,Ue,Ue,Ue,1],[p,"{h}"+td,No,Ue,lo,Ue,Ue,Ue,1],[$,rs,No,Ue,lo,Ue,Ue,Ue,1],[u,ad,No+" "+rs,Ue,
lo+" "+rs,Ue,nd,Ue,1],[l,ad+".{fff}",No+" "+rs,Ue,lo+" "+rs,Ue,nd,Ue,1]],function(D){return(M,R,E,C,q,X)=>{let J=[],Y=q>=x,we=q>=_&&x>q,pe=D(E),H=Ye(pe*l,3),be=Ur(
pe.getFullYear(),Y?0:pe.getMonth(),we||Y?1:pe.getDate()),K=Ye(be*l,3);if(we||Y){let oe=we?q/_:0,G=Y?q/x:0,ke=H==K?H:Ye(Ur(be.getFullYear()+G,be.getMonth()+oe,1)*
l,3),_e=new Date(Rt(ke/l)),De=_e.getFullYear(),Ae=_e.getMonth();for(let Q=0;C>=ke;Q++){let le=Ur(De+G*Q,Ae+oe*Q,1),me=le-D(Ye(le*l,3));ke=Ye((+le+me)*l,3),ke>C||
J.push(ke)}}else{let oe=g>q?q:g,G=K+(gn(E)-gn(H))+Fo(H-K,oe);J.push(G);let ke=D(G),_e=ke.getHours()+ke.getMinutes()/$+ke.getSeconds()/p,De=q/p,Ae=X/M.axes[R]._space;
for(;G=Ye(G+q,l==1?0:3),C>=G;)if(De>1){let Q=gn(Ye(_e+De,6))%24,le=D(G).getHours()-Q;le>1&&(le=-1),G-=le*p,_e=(_e+De)%24,.7>Ye((G-J[J.length-1])/q,3)*Ae||J.push(
G)}else J.push(G)}return J}}]}let[Kp,Vp,Yp]=sd(1),[Zp,Xp,Qp]=sd(.001);function od(l,u){return l.map(($=>$.map(((p,g)=>g==0||g==8||p==null?p:u(g==1||$[8]==0?p:$[1]+
p)))))}function rd(l,u){return($,p,g,_,x)=>{let D,M,R,E,C,q,X=u.find((J=>x>=J[0]))||u[u.length-1];return p.map((J=>{let Y=l(J),we=Y.getFullYear(),pe=Y.getMonth(),
H=Y.getDate(),be=Y.getHours(),K=Y.getMinutes(),oe=Y.getSeconds(),G=we!=D&&X[2]||pe!=M&&X[3]||H!=R&&X[4]||be!=E&&X[5]||K!=C&&X[6]||oe!=q&&X[7]||X[1];return D=we,
M=pe,R=H,E=be,C=K,q=oe,G(Y)}))}}function Ur(l,u,$){return new Date(l,u,$)}function id(l,u){return u(l)}function ld(l,u){return($,p,g,_)=>_==null?ae:u(l(p))}oo(2,
-53,53,[1]);let eh={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(l,u){let $=l.series[u];return $.width?$.stroke(l,u):$.points.
width?$.points.stroke(l,u):null},fill:function(l,u){return l.series[u].fill(l,u)},dash:"solid"},idx:null,idxs:null,values:[]},Br=[0,0];function Wo(l,u,$,p=!0){return g=>{
g.button==0&&(!p||g.target==u)&&$(g)}}function Jr(l,u,$,p=!0){return g=>{(!p||g.target==u)&&$(g)}}let th={show:!0,x:!0,y:!0,lock:!1,move:function(l,u,$){return Br[0]=
u,Br[1]=$,Br},points:{one:!1,show:function(l,u){let $=l.cursor.points,p=Vt(),g=$.size(l,u);Oe(p,n,g),Oe(p,s,g);let _=g/-2;Oe(p,"marginLeft",_),Oe(p,"marginTop",
_);let x=$.width(l,u,g);return x&&Oe(p,"borderWidth",x),p},size:function(l,u){return l.series[u].points.size},width:0,stroke:function(l,u){let $=l.series[u].points;
return $._stroke||$._fill},fill:function(l,u){let $=l.series[u].points;return $._fill||$._stroke}},bind:{mousedown:Wo,mouseup:Wo,click:Wo,dblclick:Wo,mousemove:Jr,
mouseleave:Jr,mouseenter:Jr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(l,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(l,u,$,p,g)=>p-
g,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},dd={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
Gr=_t({},dd,{filter:zl}),cd=_t({},Gr,{size:10}),ud=_t({},dd,{show:!1}),Kr='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',pd="bold "+Kr,hd={show:!0,scale:"x",stroke:w,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:pd,side:2,grid:Gr,ticks:cd,border:ud,font:Kr,lineGap:1.5,rotate:0},fd={show:!0,scale:"x",auto:!1,sorted:1,min:Ve,max:-Ve,
idxs:[]};function nh(l,u){return u.map(($=>$==null?"":zr($)))}function ah(l,u,$,p,g,_,x){let D=[],M=ua.get(g)||0;for(let R=$=x?$:Ye(Fo($,g),M);p>=R;R=Ye(R+g,M))
D.push(Object.is(R,-0)?0:R);return D}function Vr(l,u,$,p,g){let _=[],x=l.scales[l.axes[u].scale].log,D=gn((x==10?Xn:Il)($));g=as(x,D),x==10&&(g=Fa[En(g,Fa)]);let M=$,
R=g*x;x==10&&(R=Fa[En(R,Fa)]);do _.push(M),M+=g,x!=10||ua.has(M)||(M=Ye(M,ua.get(g))),R>M||(R=(g=M)*x,x==10&&(R=Fa[En(R,Fa)]));while(p>=M);return _}function sh(l,u,$,p,g){
let _=l.scales[l.axes[u].scale].asinh,x=p>_?Vr(l,u,sn(_,$),p,g):[_],D=0>p||$>0?[]:[0];return(-_>$?Vr(l,u,sn(_,-p),-$,g):[_]).reverse().map((M=>-M)).concat(D,x)}
let md=/./,oh=/[12357]/,rh=/[125]/,$d=/1/,Yr=(l,u,$,p)=>l.map(((g,_)=>u==4&&g==0||_%p==0&&$.test(g.toExponential()[0>g?1:0])?g:null));function ih(l,u,$){let p=l.
axes[$],g=p.scale,_=l.scales[g],x=l.valToPos,D=p._space,M=x(10,g),R=x(9,g)-M<D?x(7,g)-M<D?x(5,g)-M<D?$d:rh:oh:md;if(R==$d){let E=Dt(x(1,g)-M);if(D>E)return Yr(u.
slice().reverse(),_.distr,R,jn(D/E)).reverse()}return Yr(u,_.distr,R,1)}function lh(l,u,$){let p=l.axes[$],g=p.scale,_=p._space,x=l.valToPos,D=Dt(x(1,g)-x(2,g));
return _>D?Yr(u.slice().reverse(),3,md,jn(_/D)).reverse():u}function dh(l,u,$,p){return p==null?ae:u==null?"":zr(u)}let gd={show:!0,scale:"y",stroke:w,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:pd,side:3,grid:Gr,ticks:cd,border:ud,font:Kr,lineGap:1.5,rotate:0},bd={scale:null,auto:!0,sorted:0,min:Ve,
max:-Ve},vd=(l,u,$,p,g)=>g,wd={show:!0,auto:!0,sorted:0,gaps:vd,alpha:1,facets:[_t({},bd,{scale:"x"}),_t({},bd,{scale:"y"})]},yd={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:vd,alpha:1,points:{show:function(l,u){let{scale:$,idxs:p}=l.series[0],g=l._data[0],_=l.valToPos(g[p[0]],$,!0),x=l.valToPos(g[p[1]],$,!0);return Dt(
x-_)/(l.series[u].points.space*U)>=p[1]-p[0]},filter:null},values:null,min:Ve,max:-Ve,idxs:[],path:null,clip:null};function ch(l,u,$){return $/10}let xd={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},uh=_t({},xd,{time:!1,ori:1}),kd={};function _d(l){let u=kd[l];return u||(u={key:l,plots:[],sub($){
u.plots.push($)},unsub($){u.plots=u.plots.filter((p=>p!=$))},pub($,p,g,_,x,D,M){for(let R=0;u.plots.length>R;R++)u.plots[R]!=p&&u.plots[R].pub($,p,g,_,x,D,M)}},
l!=null&&(kd[l]=u)),u}function La(l,u,$){let p=l.mode,g=l.series[u],_=p==2?l._data[u]:l._data,x=l.scales,D=l.bbox,M=_[0],R=p==2?_[1]:_[u],E=p==2?x[g.facets[0].scale]:
x[l.series[0].scale],C=p==2?x[g.facets[1].scale]:x[g.scale],q=D.left,X=D.top,J=D.width,Y=D.height,we=l.valToPosH,pe=l.valToPosV;return E.ori==0?$(g,M,R,E,C,we,pe,
q,X,J,Y,Ho,is,Bo,Sd,Dd):$(g,M,R,E,C,pe,we,X,q,Y,J,Uo,ls,Qr,Td,Rd)}function Zr(l,u){let $=0,p=0,g=Le(l.bands,qr);for(let _=0;g.length>_;_++){let x=g[_];x.series[0]==
u?$=x.dir:x.series[1]==u&&(p|=x.dir==1?1:2)}return[$,p==1?-1:p==2?1:p==3?2:0]}function ph(l,u,$,p,g){let _=l.series[u],x=l.scales[l.mode==2?_.facets[1].scale:_.
scale];return g==-1?x.min:g==1?x.max:x.distr==3?x.dir==1?x.min:x.max:0}function Qn(l,u,$,p,g,_){return La(l,u,((x,D,M,R,E,C,q,X,J,Y,we)=>{let pe=x.pxRound,H=R.ori==
0?is:ls,be,K;R.dir*(R.ori==0?1:-1)==1?(be=$,K=p):(be=p,K=$);let oe=pe(C(D[be],R,Y,X)),G=pe(q(M[be],E,we,J)),ke=pe(C(D[K],R,Y,X)),_e=pe(q(_==1?E.max:E.min,E,we,J)),
De=new Path2D(g);return H(De,ke,_e),H(De,oe,_e),H(De,oe,G),De}))}function qo(l,u,$,p,g,_){let x=null;if(l.length>0){x=new Path2D;let D=u==0?Bo:Qr,M=$;for(let C=0;l.
length>C;C++){let q=l[C];if(q[1]>q[0]){let X=q[0]-M;X>0&&D(x,M,p,X,p+_),M=q[1]}}let R=$+g-M,E=10;R>0&&D(x,M,p-E/2,R,p+_+E)}return x}function Xr(l,u,$,p,g,_,x){let D=[],
M=l.length;for(let R=g==1?$:p;R>=$&&p>=R;R+=g)if(u[R]===null){let E=R,C=R;if(g==1)for(;++R<=p&&u[R]===null;)C=R;else for(;--R>=$&&u[R]===null;)C=R;let q=_(l[E]),
X=C==E?q:_(l[C]),J=E-g;q=x>0||0>J||J>=M?q:_(l[J]);let Y=C+g;X=0>x||0>Y||Y>=M?X:_(l[Y]),q>X||D.push([q,X])}return D}function jd(l){return l==0?Ll:l==1?Rt:u=>Pa(u,
l)}function Cd(l){let u=l==0?Ho:Uo,$=l==0?(g,_,x,D,M,R)=>{g.arcTo(_,x,D,M,R)}:(g,_,x,D,M,R)=>{g.arcTo(x,_,M,D,R)},p=l==0?(g,_,x,D,M)=>{g.rect(_,x,D,M)}:(g,_,x,D,M)=>{
g.rect(x,_,M,D)};return(g,_,x,D,M,R=0,E=0)=>{R==0&&E==0?p(g,_,x,D,M):(R=In(R,D/2,M/2),E=In(E,D/2,M/2),u(g,_+R,x),$(g,_+D,x,_+D,x+M,R),$(g,_+D,x+M,_,x+M,E),$(g,_,
x+M,_,x,E),$(g,_,x,_+D,x,R),g.closePath())}}let Ho=(l,u,$)=>{l.moveTo(u,$)},Uo=(l,u,$)=>{l.moveTo($,u)},is=(l,u,$)=>{l.lineTo(u,$)},ls=(l,u,$)=>{l.lineTo($,u)},
Bo=Cd(0),Qr=Cd(1),Sd=(l,u,$,p,g,_)=>{l.arc(u,$,p,g,_)},Td=(l,u,$,p,g,_)=>{l.arc($,u,p,g,_)},Dd=(l,u,$,p,g,_,x)=>{l.bezierCurveTo(u,$,p,g,_,x)},Rd=(l,u,$,p,g,_,x)=>{
l.bezierCurveTo($,u,g,p,x,_)};function Ad(){return(l,u,$,p,g)=>La(l,u,((_,x,D,M,R,E,C,q,X,J,Y)=>{let we,pe,{pxRound:H,points:be}=_;M.ori==0?(we=Ho,pe=Sd):(we=Uo,
pe=Td);let K=Ye(be.width*U,3),oe=(be.size-be.width)/2*U,G=Ye(2*oe,3),ke=new Path2D,_e=new Path2D,{left:De,top:Ae,width:Q,height:le}=l.bbox;Bo(_e,De-G,Ae-G,Q+2*G,
le+2*G);let me=ze=>{if(D[ze]!=null){let he=H(E(x[ze],M,J,q)),Me=H(C(D[ze],R,Y,X));we(ke,he+oe,Me),pe(ke,he,Me,oe,0,2*Po)}};if(g)g.forEach(me);else for(let ze=$;p>=
ze;ze++)me(ze);return{stroke:K>0?ke:null,fill:ke,clip:_e,flags:3}}))}function Md(l){return(u,$,p,g,_,x)=>{p!=g&&(_!=p&&x!=p&&l(u,$,p),_!=g&&x!=g&&l(u,$,g),l(u,$,
x))}}let hh=Md(is),fh=Md(ls);function Od(l){let u=Le(l?.alignGaps,0);return($,p,g,_)=>La($,p,((x,D,M,R,E,C,q,X,J,Y,we)=>{[g,_]=Oo(M,g,_);let pe,H,be=x.pxRound,K=le=>be(
C(le,R,Y,X)),oe=le=>be(q(le,E,we,J));R.ori==0?(pe=is,H=hh):(pe=ls,H=fh);let G=R.dir*(R.ori==0?1:-1),ke={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},_e=ke.stroke,De=!1;if(_-g<4*Y)for(let le=G==1?g:_;le>=g&&_>=le;le+=G){let me=M[le];me===null?De=!0:me!=null&&pe(_e,K(D[le]),oe(me))}else{let le,me,ze,he=ce=>$.
posToVal(ce,R.key,!0),Me=null,rt=null,At=K(D[G==1?g:_]),Ze=K(D[g]),Ht=K(D[_]),Re=he(G==1?Ze+1:Ht-1);for(let ce=G==1?g:_;ce>=g&&_>=ce;ce+=G){let re=D[ce],it=(G==
1?Re>re:re>Re)?At:K(re),mt=M[ce];it==At?mt!=null?(me=mt,Me==null?(pe(_e,it,oe(me)),le=Me=rt=me):Me>me?Me=me:me>rt&&(rt=me)):mt===null&&(De=!0):(Me!=null&&H(_e,At,
oe(Me),oe(rt),oe(le),oe(me)),mt!=null?(me=mt,pe(_e,it,oe(me)),Me=rt=le=me):(Me=rt=null,mt===null&&(De=!0)),At=it,Re=he(At+G))}Me!=null&&Me!=rt&&ze!=At&&H(_e,At,
oe(Me),oe(rt),oe(le),oe(me))}let[Ae,Q]=Zr($,p);if(x.fill!=null||Ae!=0){let le=ke.fill=new Path2D(_e),me=oe(x.fillTo($,p,x.min,x.max,Ae)),ze=K(D[g]),he=K(D[_]);G==
-1&&([he,ze]=[ze,he]),pe(le,he,me),pe(le,ze,me)}if(!x.spanGaps){let le=[];De&&le.push(...Xr(D,M,g,_,G,K,u)),ke.gaps=le=x.gaps($,p,g,_,le),ke.clip=qo(le,R.ori,X,
J,Y,we)}return Q!=0&&(ke.band=Q==2?[Qn($,p,g,_,_e,-1),Qn($,p,g,_,_e,1)]:Qn($,p,g,_,_e,Q)),ke}))}function Ed(l,u,$,p,g,_,x=Ve){if(l.length>1){let D=null;for(let M=0,
R=1/0;l.length>M;M++)if(u[M]!==void 0){if(D!=null){let E=Dt(l[M]-l[D]);R>E&&(R=E,x=Dt($(l[M],p,g,_)-$(l[D],p,g,_)))}D=M}}return x}function mh(l,u,$,p,g){let _=l.
length;if(2>_)return null;let x=new Path2D;if($(x,l[0],u[0]),_==2)p(x,l[1],u[1]);else{let D=Array(_),M=Array(_-1),R=Array(_-1),E=Array(_-1);for(let C=0;_-1>C;C++)
R[C]=u[C+1]-u[C],E[C]=l[C+1]-l[C],M[C]=R[C]/E[C];D[0]=M[0];for(let C=1;_-1>C;C++)M[C]===0||M[C-1]===0||M[C-1]>0!=M[C]>0?D[C]=0:(D[C]=3*(E[C-1]+E[C])/((2*E[C]+E[C-
1])/M[C-1]+(E[C]+2*E[C-1])/M[C]),isFinite(D[C])||(D[C]=0));D[_-1]=M[_-2];for(let C=0;_-1>C;C++)g(x,l[C]+E[C]/3,u[C]+D[C]*E[C]/3,l[C+1]-E[C]/3,u[C+1]-D[C+1]*E[C]/
3,l[C+1],u[C+1])}return x}let ei=new Set;function Id(){for(let l of ei)l.syncRect(!0)}ut&&(mn("resize",gt,Id),mn("scroll",gt,Id,!0),mn(Se,gt,(()=>{Zt.pxRatio=U})));
let $h=Od(),gh=Ad();function Pd(l,u,$,p){return(p?[l[0],l[1]].concat(l.slice(2)):[l[0]].concat(l.slice(1))).map(((g,_)=>ti(g,_,u,$)))}function ti(l,u,$,p){return _t(
{},u==0?$:p,l)}function Fd(l,u,$){return u==null?ss:[u,$]}let bh=Fd;function vh(l,u,$){return u==null?ss:Io(u,$,Lr,!0)}function Ld(l,u,$,p){return u==null?ss:Eo(
u,$,l.scales[p].log,!1)}let wh=Ld;function zd(l,u,$,p){return u==null?ss:Fr(u,$,l.scales[p].log,!1)}let yh=zd;function xh(l,u,$,p,g){let _=sn(Pl(l),Pl(u)),x=u-l,
D=En(g/p*x,$);do{let M=$[D],R=p*M/x;if(R>=g&&17>=_+(5>M?ua.get(M):0))return[M,R]}while(++D<$.length);return[0,0]}function Nd(l){let u,$;return[l=l.replace(/(\d+)px/,
((p,g)=>(u=Rt(($=+g)*U))+"px")),u,$]}function kh(l){l.show&&[l.font,l.labelFont].forEach((u=>{let $=Ye(u[2]*U,1);u[0]=u[0].replace(/[0-9.]+px/,$+"px"),u[1]=$}))}
function Zt(l,u,$){let p={mode:Le(l.mode,1)},g=p.mode;function _(d,h,m,v){let k=h.valToPct(d);return v+m*(h.dir==-1?1-k:k)}function x(d,h,m,v){let k=h.valToPct(
d);return v+m*(h.dir==-1?k:1-k)}function D(d,h,m,v){return h.ori==0?_(d,h,m,v):x(d,h,m,v)}p.valToPosH=_,p.valToPosV=x;let M=!1;p.status=0;let R=p.root=Vt("uplot");
l.id!=null&&(R.id=l.id),pt(R,l.class),l.title&&(Vt("u-title",R).textContent=l.title);let E=Et("canvas"),C=p.ctx=E.getContext("2d"),q=Vt("u-wrap",R);mn("click",q,
(d=>{d.target===J&&(tt!=xs||lt!=ks)&&Jt.click(p,d)}),!0);let X=p.under=Vt("u-under",q);q.appendChild(E);let J=p.over=Vt("u-over",q),Y=+Le((l=os(l)).pxAlign,1),we=jd(
Y);(l.plugins||[]).forEach((d=>{d.opts&&(l=d.opts(p,l)||l)}));let pe=l.ms||.001,H=p.series=g==1?Pd(l.series||[],fd,yd,!1):(function(d,h){return d.map(((m,v)=>v==
0?{}:_t({},h,m)))})(l.series||[null],wd),be=p.axes=Pd(l.axes||[],hd,gd,!0),K=p.scales={},oe=p.bands=l.bands||[];oe.forEach((d=>{d.fill=Ee(d.fill||null),d.dir=Le(
d.dir,-1)}));let G=g==2?H[1].facets[0].scale:H[0].scale,ke={axes:function(){for(let d=0;be.length>d;d++){let h=be[d];if(!h.show||!h._show)continue;let m,v,k=h.side,
S=k%2,O=h.stroke(p,d),P=k==0||k==3?-1:1,[L,z]=h._found;if(h.label!=null){let st=Rt((h._lpos+h.labelGap*P)*U);Gd(h.labelFont[0],O,"center",k==2?"top":r),C.save(),
S==1?(m=v=0,C.translate(st,Rt(rn+qa/2)),C.rotate((k==3?-Po:Po)/2)):(m=Rt(Sn+Ln/2),v=st);let tn=Fl(h.label)?h.label(p,d,L,z):h.label;C.fillText(tn,m,v),C.restore()}
if(z==0)continue;let B=K[h.scale],ie=S==0?Ln:qa,Fe=S==0?Sn:rn,ye=h._splits,ge=B.distr==2?ye.map((st=>zn[st])):ye,ve=B.distr==2?zn[ye[1]]-zn[ye[0]]:L,W=h.ticks,fe=h.
border,qe=W.show?W.size:0,wt=Rt(qe*U),at=Rt((h.alignTo==2?h._size-qe-h.gap:h.gap)*U),Be=h._rotate*-Po/180,Gt=we(h._pos*U),Qt=Gt+(wt+at)*P;v=S==0?Qt:0,m=S==1?Qt:
0,Gd(h.font[0],O,h.align==1?i:h.align==2?c:Be>0?i:0>Be?c:S==0?"center":k==3?c:i,Be||S==1?"middle":k==2?"top":r);let en=h.font[1]*h.lineGap,$t=ye.map((st=>we(D(st,
B,ie,Fe)))),wn=h._values;for(let st=0;wn.length>st;st++){let tn=wn[st];if(tn!=null){S==0?m=$t[st]:v=$t[st],tn=""+tn;let dn=tn.indexOf(`
`)==-1?[tn]:tn.split(/\n/gm);for(let Rn=0;dn.length>Rn;Rn++){let aa=dn[Rn];Be?(C.save(),C.translate(m,v+Rn*en),C.rotate(Be),C.fillText(aa,0,0),C.restore()):C.fillText(
aa,m,v+Rn*en)}}}W.show&&fi($t,W.filter(p,ge,d,z,ve),S,k,Gt,wt,Ye(W.width*U,3),W.stroke(p,d),W.dash,W.cap);let Ct=h.grid;Ct.show&&fi($t,Ct.filter(p,ge,d,z,ve),S,
S==0?2:1,S==0?rn:Sn,S==0?qa:Ln,Ye(Ct.width*U,3),Ct.stroke(p,d),Ct.dash,Ct.cap),fe.show&&fi([Gt],[1],S==0?1:0,S==0?1:2,S==1?rn:Sn,S==1?qa:Ln,Ye(fe.width*U,3),fe.
stroke(p,d),fe.dash,fe.cap)}zt("drawAxes")},series:function(){if(Bt>0){let d=H.some((h=>h._focus))&&ln!=Un.alpha;d&&(C.globalAlpha=ln=Un.alpha),H.forEach(((h,m)=>{
if(m>0&&h.show&&(Vd(m,!1),Vd(m,!0),h._paths==null)){let v=ln;ln!=h.alpha&&(C.globalAlpha=ln=h.alpha);let k=g==2?[0,u[m][0].length-1]:(function(S){let O=Wr(It-1,
0,Bt-1),P=Wr(Pt+1,0,Bt-1);for(;S[O]==null&&O>0;)O--;for(;S[P]==null&&Bt-1>P;)P++;return[O,P]})(u[m]);h._paths=h.paths(p,m,k[0],k[1]),ln!=v&&(C.globalAlpha=ln=v)}})),
H.forEach(((h,m)=>{if(m>0&&h.show){let v=ln;ln!=h.alpha&&(C.globalAlpha=ln=h.alpha),h._paths!=null&&Yd(m,!1);{let k=h._paths!=null?h._paths.gaps:null,S=h.points.
show(p,m,It,Pt,k),O=h.points.filter(p,m,S,k);(S||O)&&(h.points._paths=h.points.paths(p,m,It,Pt,O),Yd(m,!0))}ln!=v&&(C.globalAlpha=ln=v),zt("drawSeries",m)}})),d&&
(C.globalAlpha=ln=1)}}},_e=(l.drawOrder||["axes","series"]).map((d=>ke[d]));function De(d){let h=d.distr==3?m=>Xn(m>0?m:d.clamp(p,m,d.min,d.max,d.key)):d.distr==
4?m=>Nr(m,d.asinh):d.distr==100?m=>d.fwd(m):m=>m;return m=>{let v=h(m),{_min:k,_max:S}=d;return(v-k)/(S-k)}}function Ae(d){let h=K[d];if(h==null){let m=(l.scales||
ro)[d]||ro;if(m.from!=null){Ae(m.from);let v=_t({},K[m.from],m,{key:d});v.valToPct=De(v),K[d]=v}else{h=K[d]=_t({},d==G?xd:uh,m),h.key=d;let v=h.time,k=h.range,S=pa(
k);if((d!=G||g==2&&!v)&&(!S||k[0]!=null&&k[1]!=null||(k={min:k[0]==null?Ml:{mode:1,hard:k[0],soft:k[0]},max:k[1]==null?Ml:{mode:1,hard:k[1],soft:k[1]}},S=!1),!S&&
Lo(k))){let O=k;k=(P,L,z)=>L==null?ss:Io(L,z,O)}h.range=Ee(k||(v?bh:d==G?h.distr==3?wh:h.distr==4?yh:Fd:h.distr==3?Ld:h.distr==4?zd:vh)),h.auto=Ee(!S&&h.auto),h.
clamp=Ee(h.clamp||ch),h._min=h._max=null,h.valToPct=De(h)}}}Ae("x"),Ae("y"),g==1&&H.forEach((d=>{Ae(d.scale)})),be.forEach((d=>{Ae(d.scale)}));for(let d in l.scales)
Ae(d);let Q=K[G],le=Q.distr,me,ze;Q.ori==0?(pt(R,"u-hz"),me=_,ze=x):(pt(R,"u-vt"),me=x,ze=_);let he={};for(let d in K){let h=K[d];h.min==null&&h.max==null||(he[d]=
{min:h.min,max:h.max},h.min=h.max=null)}let Me=l.tzDate||(d=>new Date(Rt(d/pe))),rt=l.fmtDate||Hr,At=pe==1?Yp(Me):Qp(Me),Ze=rd(Me,od(pe==1?Vp:Xp,rt)),Ht=ld(Me,id(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",rt)),Re=[],ce=p.legend=_t({},eh,l.legend),re=p.cursor=_t({},th,{drag:{y:g==2}},l.cursor),it=ce.show,mt=re.show,bt=ce.markers,Pn,
ds,bn;ce.idxs=Re,bt.width=Ee(bt.width),bt.dash=Ee(bt.dash),bt.stroke=Ee(bt.stroke),bt.fill=Ee(bt.fill);let vt,vn=[],ha=[],Cn=!1,fa={};if(ce.live){let d=H[1]?H[1].
values:null;Cn=d!=null,vt=Cn?d(p,1,0):{_:0};for(let h in vt)fa[h]=ae}if(it)if(Pn=Et("table","u-legend",R),bn=Et("tbody",null,Pn),ce.mount(p,Pn),Cn){ds=Et("thead",
null,Pn,bn);let d=Et("tr",null,ds);for(var cs in Et("th",null,d),vt)Et("th",t,d).textContent=cs}else pt(Pn,"u-inline"),ce.live&&pt(Pn,"u-live");let us={show:!0},
co={show:!1},ma=new Map;function on(d,h,m,v=!0){let k=ma.get(h)||{},S=re.bind[d](p,h,m,v);S&&(mn(d,h,k[d]=S),ma.set(h,k))}function ps(d,h){let m=ma.get(h)||{};for(let v in m)
d!=null&&v!=d||(ns(v,h,m[v]),delete m[v]);d==null&&ma.delete(h)}let ea=0,za=0,je=0,V=0,Xe=0,Ut=0,Na=Xe,ta=Ut,Wa=je,Fn=V,Sn=0,rn=0,Ln=0,qa=0;p.bbox={};let ni=!1,
Jo=!1,hs=!1,Ha=!1,Go=!1,Tn=!1;function ai(d,h,m){(m||d!=p.width||h!=p.height)&&Wd(d,h),vs(!1),hs=!0,Jo=!0,_s()}function Wd(d,h){p.width=ea=je=d,p.height=za=V=h,
Xe=Ut=0,(function(){let v=!1,k=!1,S=!1,O=!1;be.forEach((P=>{if(P.show&&P._show){let{side:L,_size:z}=P,B=z+(P.label!=null?P.labelSize:0);B>0&&(L%2?(je-=B,L==3?(Xe+=
B,O=!0):S=!0):(V-=B,L==0?(Ut+=B,v=!0):k=!0))}})),Ba[0]=v,Ba[1]=S,Ba[2]=k,Ba[3]=O,je-=$a[1]+$a[3],Xe+=$a[3],V-=$a[2]+$a[0],Ut+=$a[0]})(),(function(){let v=Xe+je,
k=Ut+V,S=Xe,O=Ut;function P(L,z){switch(L){case 1:return v+=z,v-z;case 2:return k+=z,k-z;case 3:return S-=z,S+z;case 0:return O-=z,O+z}}be.forEach((L=>{if(L.show&&
L._show){let z=L.side;L._pos=P(z,L._size),L.label!=null&&(L._lpos=P(z,L.labelSize))}}))})();let m=p.bbox;Sn=m.left=Pa(Xe*U,.5),rn=m.top=Pa(Ut*U,.5),Ln=m.width=Pa(
je*U,.5),qa=m.height=Pa(V*U,.5)}let _h=3;if(p.setSize=function({width:d,height:h}){ai(d,h)},re.dataIdx==null){let d=re.hover,h=d.skip=new Set(d.skip??[]);h.add(
void 0);let m=d.prox=Ee(d.prox),v=d.bias??=0;re.dataIdx=(k,S,O,P)=>{if(S==0)return O;let L=O,z=m(k,S,O,P)??Ve,B=z>=0&&Ve>z,ie=Q.ori==0?je:V,Fe=re.left,ye=u[0],ge=u[S];
if(h.has(ge[O])){L=null;let ve,W=null,fe=null;if(v==0||v==-1)for(ve=O;W==null&&ve-- >0;)h.has(ge[ve])||(W=ve);if(v==0||v==1)for(ve=O;fe==null&&ve++<ge.length;)h.
has(ge[ve])||(fe=ve);if(W!=null||fe!=null)if(B){let qe=Fe-(W==null?-1/0:me(ye[W],Q,ie,0)),wt=(fe==null?1/0:me(ye[fe],Q,ie,0))-Fe;qe>wt?wt>z||(L=fe):qe>z||(L=W)}else
L=fe==null?W:W==null||O-W>fe-O?fe:W}else B&&Dt(Fe-me(ye[O],Q,ie,0))>z&&(L=null);return L}}let Ua=d=>{re.event=d};re.idxs=Re,re._lock=!1;let Xt=re.points;Xt.show=
Ee(Xt.show),Xt.size=Ee(Xt.size),Xt.stroke=Ee(Xt.stroke),Xt.width=Ee(Xt.width),Xt.fill=Ee(Xt.fill);let Un=p.focus=_t({},l.focus||{alpha:.3},re.focus),fs=Un.prox>=
0,ms=fs&&Xt.one,Dn=[],$s=[],gs=[];function qd(d,h){let m=Xt.show(p,h);if(m instanceof HTMLElement)return pt(m,"u-cursor-pt"),pt(m,d.class),_n(m,-10,-10,je,V),J.
insertBefore(m,Dn[h]),m}function Hd(d,h){if(g==1||h>0){let m=g==1&&K[d.scale].time,v=d.value;d.value=m?Bl(v)?ld(Me,id(v,rt)):v||Ht:v||dh,d.label=d.label||(m?"Ti\
me":"Value")}if(ms||h>0){d.width=d.width==null?1:d.width,d.paths=d.paths||$h||Ip,d.fillTo=Ee(d.fillTo||ph),d.pxAlign=+Le(d.pxAlign,Y),d.pxRound=jd(d.pxAlign),d.
stroke=Ee(d.stroke||null),d.fill=Ee(d.fill||null),d._stroke=d._fill=d._paths=d._focus=null;let m=(function(k){return Ye(1*(3+2*(k||1)),3)})(sn(1,d.width)),v=d.points=
_t({},{size:m,width:sn(1,.2*m),stroke:d.stroke,space:2*m,paths:gh,_stroke:null,_fill:null},d.points);v.show=Ee(v.show),v.filter=Ee(v.filter),v.fill=Ee(v.fill),v.
stroke=Ee(v.stroke),v.paths=Ee(v.paths),v.pxAlign=d.pxAlign}if(it){let m=(function(v,k){if(k==0&&(Cn||!ce.live||g==2))return ss;let S=[],O=Et("tr","u-series",bn,
bn.childNodes[k]);pt(O,v.class),v.show||pt(O,e);let P=Et("th",null,O);if(bt.show){let B=Vt("u-marker",P);if(k>0){let ie=bt.width(p,k);ie&&(B.style.border=ie+"px\
 "+bt.dash(p,k)+" "+bt.stroke(p,k)),B.style.background=bt.fill(p,k)}}let L=Vt(t,P);for(var z in v.label instanceof HTMLElement?L.appendChild(v.label):L.textContent=
v.label,k>0&&(bt.show||(L.style.color=v.width>0?bt.stroke(p,k):bt.fill(p,k)),on("click",P,(B=>{if(re._lock)return;Ua(B);let ie=H.indexOf(v);if((B.ctrlKey||B.metaKey)!=
ce.isolate){let Fe=H.some(((ye,ge)=>ge>0&&ge!=ie&&ye.show));H.forEach(((ye,ge)=>{ge>0&&Bn(ge,Fe?ge==ie?us:co:us,!0,jt.setSeries)}))}else Bn(ie,{show:!v.show},!0,
jt.setSeries)}),!1),fs&&on(T,P,(B=>{re._lock||(Ua(B),Bn(H.indexOf(v),Cs,!0,jt.setSeries))}),!1)),vt){let B=Et("td","u-value",O);B.textContent="--",S.push(B)}return[
O,S]})(d,h);vn.splice(h,0,m[0]),ha.splice(h,0,m[1]),ce.values.push(null)}if(mt){Re.splice(h,0,null);let m=null;ms?h==0&&(m=qd(d,h)):h>0&&(m=qd(d,h)),Dn.splice(h,
0,m),$s.splice(h,0,0),gs.splice(h,0,0)}zt("addSeries",h)}p.addSeries=function(d,h){h=h??H.length,d=g==1?ti(d,h,fd,yd):ti(d,h,{},wd),H.splice(h,0,d),Hd(H[h],h)},
p.delSeries=function(d){if(H.splice(d,1),it){ce.values.splice(d,1),ha.splice(d,1);let h=vn.splice(d,1)[0];ps(null,h.firstChild),h.remove()}mt&&(Re.splice(d,1),Dn.
splice(d,1)[0].remove(),$s.splice(d,1),gs.splice(d,1)),zt("delSeries",d)};let Ba=[!1,!1,!1,!1];function uo(d,h,m){let[v,k,S,O]=m,P=h%2,L=0;return P==0&&(O||k)&&
(L=h==0&&!v||h==2&&!S?Rt(hd.size/3):0),P==1&&(v||S)&&(L=h==1&&!k||h==3&&!O?Rt(gd.size/2):0),L}let Ud=p.padding=(l.padding||[uo,uo,uo,uo]).map((d=>Ee(Le(d,uo)))),
$a=p._padding=Ud.map(((d,h)=>d(p,h,Ba,0))),Bt,It=null,Pt=null,Ko=g==1?H[0].idxs:null,Vo,bs,si,oi,ri,ii,li,di,ci,ln,zn=null,po=!1;function Bd(d,h){if(p.data=p._data=
u=d??[],g==2){Bt=0;for(let m=1;H.length>m;m++)Bt+=u[m][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),zn=u[0],Bt=zn.length;let m=u;if(le==2){m=u.slice();let v=m[0]=
Array(Bt);for(let k=0;Bt>k;k++)v[k]=k}p._data=u=m}if(vs(!0),zt("setData"),le==2&&(hs=!0),h!==!1){let m=Q;m.auto(p,po)?ui():ba(G,m.min,m.max),Ha=Ha||re.left>=0,Tn=
!0,_s()}}function ui(){let d,h;po=!0,g==1&&(Bt>0?(It=Ko[0]=0,Pt=Ko[1]=Bt-1,d=u[0][It],h=u[0][Pt],le==2?(d=It,h=Pt):d==h&&(le==3?[d,h]=Eo(d,d,Q.log,!1):le==4?[d,
h]=Fr(d,d,Q.log,!1):Q.time?h=d+Rt(86400/pe):[d,h]=Io(d,h,Lr,!0))):(It=Ko[0]=d=null,Pt=Ko[1]=h=null)),ba(G,d,h)}function Jd(d,h,m,v,k,S){d??=f,m??=qr,v??="butt",
k??=f,S??="round",d!=Vo&&(C.strokeStyle=Vo=d),k!=bs&&(C.fillStyle=bs=k),h!=si&&(C.lineWidth=si=h),S!=ri&&(C.lineJoin=ri=S),v!=ii&&(C.lineCap=ii=v),m!=oi&&C.setLineDash(
oi=m)}function Gd(d,h,m,v){h!=bs&&(C.fillStyle=bs=h),d!=li&&(C.font=li=d),m!=di&&(C.textAlign=di=m),v!=ci&&(C.textBaseline=ci=v)}function pi(d,h,m,v,k=0){if(v.length>
0&&d.auto(p,po)&&(h==null||h.min==null)){let S=Le(It,0),O=Le(Pt,v.length-1),P=m.min==null?(function(L,z,B,ie=0,Fe=!1){let ye=Fe?Mp:Oo,ge=Fe?Al:Rl;[z,B]=ye(L,z,B);
let ve=L[z],W=L[z];if(z>-1)if(ie==1)ve=L[z],W=L[B];else if(ie==-1)ve=L[B],W=L[z];else for(let fe=z;B>=fe;fe++){let qe=L[fe];ge(qe)&&(ve>qe?ve=qe:qe>W&&(W=qe))}return[
ve??Ve,W??-Ve]})(v,S,O,k,d.distr==3):[m.min,m.max];d.min=In(d.min,m.min=P[0]),d.max=sn(d.max,m.max=P[1])}}p.setData=Bd;let Kd={min:null,max:null};function Vd(d,h){
let m=h?H[d].points:H[d];m._stroke=m.stroke(p,d),m._fill=m.fill(p,d)}function Yd(d,h){let m=h?H[d].points:H[d],{stroke:v,fill:k,clip:S,flags:O,_stroke:P=m._stroke,
_fill:L=m._fill,_width:z=m.width}=m._paths;z=Ye(z*U,3);let B=null,ie=z%2/2;h&&L==null&&(L=z>0?"#fff":P);let Fe=m.pxAlign==1&&ie>0;if(Fe&&C.translate(ie,ie),!h){
let ye=Sn-z/2,ge=rn-z/2,ve=Ln+z,W=qa+z;B=new Path2D,B.rect(ye,ge,ve,W)}h?hi(P,z,m.dash,m.cap,L,v,k,O,S):(function(ye,ge,ve,W,fe,qe,wt,at,Be,Gt,Qt){let en=!1;Be!=
0&&oe.forEach((($t,wn)=>{if($t.series[0]==ye){let Ct,st=H[$t.series[1]],tn=u[$t.series[1]],dn=(st._paths||ro).band;pa(dn)&&(dn=$t.dir==1?dn[0]:dn[1]);let Rn=null;
st.show&&dn&&(function(aa,ya,yn){for(ya=Le(ya,0),yn=Le(yn,aa.length-1);yn>=ya;){if(aa[ya]!=null)return!0;ya++}return!1})(tn,It,Pt)?(Rn=$t.fill(p,wn)||qe,Ct=st._paths.
clip):dn=null,hi(ge,ve,W,fe,Rn,wt,at,Be,Gt,Qt,Ct,dn),en=!0}})),en||hi(ge,ve,W,fe,qe,wt,at,Be,Gt,Qt)})(d,P,z,m.dash,m.cap,L,v,k,O,B,S),Fe&&C.translate(-ie,-ie)}let Zd=3;
function hi(d,h,m,v,k,S,O,P,L,z,B,ie){Jd(d,h,m,v,k),(L||z||ie)&&(C.save(),L&&C.clip(L),z&&C.clip(z)),ie?(P&Zd)==Zd?(C.clip(ie),B&&C.clip(B),Zo(k,O),Yo(d,S,h)):2&
P?(Zo(k,O),C.clip(ie),Yo(d,S,h)):1&P&&(C.save(),C.clip(ie),B&&C.clip(B),Zo(k,O),C.restore(),Yo(d,S,h)):(Zo(k,O),Yo(d,S,h)),(L||z||ie)&&C.restore()}function Yo(d,h,m){
m>0&&(h instanceof Map?h.forEach(((v,k)=>{C.strokeStyle=Vo=k,C.stroke(v)})):h!=null&&d&&C.stroke(h))}function Zo(d,h){h instanceof Map?h.forEach(((m,v)=>{C.fillStyle=
bs=v,C.fill(m)})):h!=null&&d&&C.fill(h)}function fi(d,h,m,v,k,S,O,P,L,z){let B=O%2/2;Y==1&&C.translate(B,B),Jd(P,O,L,z,P),C.beginPath();let ie,Fe,ye,ge,ve=k+(v==
0||v==3?-S:S);m==0?(Fe=k,ge=ve):(ie=k,ye=ve);for(let W=0;d.length>W;W++)h[W]!=null&&(m==0?ie=ye=d[W]:Fe=ge=d[W],C.moveTo(ie,Fe),C.lineTo(ye,ge));C.stroke(),Y==1&&
C.translate(-B,-B)}function jh(d){let h=!0;return be.forEach(((m,v)=>{if(!m.show)return;let k=K[m.scale];if(k.min==null)return void(m._show&&(h=!1,m._show=!1,vs(
!1)));m._show||(h=!1,m._show=!0,vs(!1));let S=m.side,O=S%2,{min:P,max:L}=k,[z,B]=(function(W,fe,qe,wt){let at,Be=be[W];if(wt>0){let Gt=Be._space=Be.space(p,W,fe,
qe,wt);at=xh(fe,qe,Be._incrs=Be.incrs(p,W,fe,qe,wt,Gt),wt,Gt)}else at=[0,0];return Be._found=at})(v,P,L,O==0?je:V);if(B==0)return;let ie=m._splits=m.splits(p,v,
P,L,z,B,k.distr==2),Fe=k.distr==2?ie.map((W=>zn[W])):ie,ye=k.distr==2?zn[ie[1]]-zn[ie[0]]:z,ge=m._values=m.values(p,m.filter(p,Fe,v,B,ye),v,B,ye);m._rotate=S==2?
m.rotate(p,ge,v,B):0;let ve=m._size;m._size=jn(m.size(p,ge,v,d)),ve!=null&&m._size!=ve&&(h=!1)})),h}function Ch(d){let h=!0;return Ud.forEach(((m,v)=>{let k=m(p,
v,Ba,d);k!=$a[v]&&(h=!1),$a[v]=k})),h}function vs(d){H.forEach(((h,m)=>{m>0&&(h._paths=null,d&&(g==1?(h.min=null,h.max=null):h.facets.forEach((v=>{v.min=null,v.
max=null}))))}))}let mi,$i,ws,ys,Xd,Qd,xs,ks,ec,tc,tt,lt,Xo=!1,gi=!1,ho=[];function Sh(){gi=!1;for(let d=0;ho.length>d;d++)zt(...ho[d]);ho.length=0}function _s(){
Xo||(Np(nc),Xo=!0)}function nc(){if(ni&&((function(){for(let v in K){let k=K[v];he[v]==null&&(k.min==null||he[G]!=null&&k.auto(p,po))&&(he[v]=Kd)}for(let v in K){
let k=K[v];he[v]==null&&k.from!=null&&he[k.from]!=null&&(he[v]=Kd)}he[G]!=null&&vs(!0);let d={};for(let v in he){let k=he[v];if(k!=null){let S=d[v]=os(K[v],Fp);
if(k.min!=null)_t(S,k);else if(v!=G||g==2)if(Bt==0&&S.from==null){let O=S.range(p,null,null,v);S.min=O[0],S.max=O[1]}else S.min=Ve,S.max=-Ve}}if(Bt>0){H.forEach(
((v,k)=>{if(g==1){let S=v.scale,O=he[S];if(O==null)return;let P=d[S];if(k==0){let L=P.range(p,P.min,P.max,S);P.min=L[0],P.max=L[1],It=En(P.min,u[0]),Pt=En(P.max,
u[0]),Pt-It>1&&(P.min>u[0][It]&&It++,u[0][Pt]>P.max&&Pt--),v.min=zn[It],v.max=zn[Pt]}else v.show&&v.auto&&pi(P,O,v,u[k],v.sorted);v.idxs[0]=It,v.idxs[1]=Pt}else if(k>
0&&v.show&&v.auto){let[S,O]=v.facets,P=S.scale,L=O.scale,[z,B]=u[k],ie=d[P],Fe=d[L];ie!=null&&pi(ie,he[P],S,z,S.sorted),Fe!=null&&pi(Fe,he[L],O,B,O.sorted),v.min=
O.min,v.max=O.max}}));for(let v in d){let k=d[v],S=he[v];if(k.from==null&&(S==null||S.min==null)){let O=k.range(p,k.min==Ve?null:k.min,k.max==-Ve?null:k.max,v);
k.min=O[0],k.max=O[1]}}}for(let v in d){let k=d[v];if(k.from!=null){let S=d[k.from];if(S.min==null)k.min=k.max=null;else{let O=k.range(p,S.min,S.max,v);k.min=O[0],
k.max=O[1]}}}let h={},m=!1;for(let v in d){let k=d[v],S=K[v];if(S.min!=k.min||S.max!=k.max){S.min=k.min,S.max=k.max;let O=S.distr;S._min=O==3?Xn(S.min):O==4?Nr(
S.min,S.asinh):O==100?S.fwd(S.min):S.min,S._max=O==3?Xn(S.max):O==4?Nr(S.max,S.asinh):O==100?S.fwd(S.max):S.max,h[v]=m=!0}}if(m){H.forEach(((v,k)=>{g==2?k>0&&h.
y&&(v._paths=null):h[v.scale]&&(v._paths=null)}));for(let v in h)hs=!0,zt("setScale",v);mt&&re.left>=0&&(Ha=Tn=!0)}for(let v in he)he[v]=null})(),ni=!1),hs&&((function(){
let d=!1,h=0;for(;!d;){h++;let m=jh(h),v=Ch(h);d=h==_h||m&&v,d||(Wd(p.width,p.height),Jo=!0)}})(),hs=!1),Jo){if(Oe(X,i,Xe),Oe(X,"top",Ut),Oe(X,n,je),Oe(X,s,V),Oe(
J,i,Xe),Oe(J,"top",Ut),Oe(J,n,je),Oe(J,s,V),Oe(q,n,ea),Oe(q,s,za),E.width=Rt(ea*U),E.height=Rt(za*U),be.forEach((({_el:d,_show:h,_size:m,_pos:v,side:k})=>{if(d!=
null)if(h){let S=k%2==1;Oe(d,S?"left":"top",v-(k===3||k===0?m:0)),Oe(d,S?"width":"height",m),Oe(d,S?"top":"left",S?Ut:Xe),Oe(d,S?"height":"width",S?V:je),ht(d,e)}else
pt(d,e)})),Vo=bs=si=ri=ii=li=di=ci=oi=null,ln=1,$o(!0),Xe!=Na||Ut!=ta||je!=Wa||V!=Fn){vs(!1);let d=je/Wa,h=V/Fn;if(mt&&!Ha&&re.left>=0){re.left*=d,re.top*=h,ws&&
_n(ws,Rt(re.left),0,je,V),ys&&_n(ys,0,Rt(re.top),je,V);for(let m=0;Dn.length>m;m++){let v=Dn[m];v!=null&&($s[m]*=d,gs[m]*=h,_n(v,jn($s[m]),jn(gs[m]),je,V))}}if(nt.
show&&!Go&&nt.left>=0&&nt.width>0){nt.left*=d,nt.width*=d,nt.top*=h,nt.height*=h;for(let m in yi)Oe(js,m,nt[m])}Na=Xe,ta=Ut,Wa=je,Fn=V}zt("setSize"),Jo=!1}ea>0&&
za>0&&(C.clearRect(0,0,E.width,E.height),zt("drawClear"),_e.forEach((d=>d())),zt("draw")),nt.show&&Go&&(Qo(nt),Go=!1),mt&&Ha&&(Ga(null,!0,!1),Ha=!1),ce.show&&ce.
live&&Tn&&(vi(),Tn=!1),M||(M=!0,p.status=1,zt("ready")),po=!1,Xo=!1}function bi(d,h){let m=K[d];if(m.from==null){if(Bt==0){let v=m.range(p,h.min,h.max,d);h.min=
v[0],h.max=v[1]}if(h.min>h.max){let v=h.min;h.min=h.max,h.max=v}if(Bt>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;d==G&&m.distr==2&&Bt>0&&(h.min=En(h.
min,u[0]),h.max=En(h.max,u[0]),h.min==h.max&&h.max++),he[d]=h,ni=!0,_s()}}p.batch=function(d,h=!1){Xo=!0,gi=h,d(p),nc(),h&&ho.length>0&&queueMicrotask(Sh)},p.redraw=
(d,h)=>{hs=h||!1,d!==!1?ba(G,Q.min,Q.max):_s()},p.setScale=bi;let ga=!1,Jt=re.drag,Ft=Jt.x,Lt=Jt.y;mt&&(re.x&&(mi=Vt("u-cursor-x",J)),re.y&&($i=Vt("u-cursor-y",
J)),Q.ori==0?(ws=mi,ys=$i):(ws=$i,ys=mi),tt=re.left,lt=re.top);let nt=p.select=_t({show:!0,over:!0,left:0,width:0,top:0,height:0},l.select),js=nt.show?Vt("u-sel\
ect",nt.over?J:X):null;function Qo(d,h){if(nt.show){for(let m in d)nt[m]=d[m],m in yi&&Oe(js,m,d[m]);h!==!1&&zt("setSelect")}}function ba(d,h,m){bi(d,{min:h,max:m})}
function Bn(d,h,m,v){h.focus!=null&&(function(k){if(k!=Ja){let S=k==null,O=Un.alpha!=1;H.forEach(((P,L)=>{if(g==1||L>0){let z=S||L==0||L==k;P._focus=S?null:z,O&&
(function(B,ie){H[B].alpha=ie,mt&&Dn[B]!=null&&(Dn[B].style.opacity=ie),it&&vn[B]&&(vn[B].style.opacity=ie)})(L,z?1:Un.alpha)}})),Ja=k,O&&_s()}})(d),h.show!=null&&
H.forEach(((k,S)=>{0>=S||d!=S&&d!=null||(k.show=h.show,(function(O){if(H[O].show)it&&ht(vn[O],e);else if(it&&pt(vn[O],e),mt){let P=ms?Dn[0]:Dn[O];P!=null&&_n(P,
-10,-10,je,V)}})(S),g==2?(ba(k.facets[0].scale,null,null),ba(k.facets[1].scale,null,null)):ba(k.scale,null,null),_s())})),m!==!1&&zt("setSeries",d,h),v&&go("set\
Series",p,d,h)}let na,va,Ja;p.setSelect=Qo,p.setSeries=Bn,p.addBand=function(d,h){d.fill=Ee(d.fill||null),d.dir=Le(d.dir,-1),oe.splice(h=h??oe.length,0,d)},p.setBand=
function(d,h){_t(oe[d],h)},p.delBand=function(d){d==null?oe.length=0:oe.splice(d,1)};let Cs={focus:!0};function Jn(d,h,m){let v=K[h];m&&(d=d/U-(v.ori==1?Ut:Xe));
let k=je;v.ori==1&&(k=V,d=k-d),v.dir==-1&&(d=k-d);let S=v._min,O=S+d/k*(v._max-S),P=v.distr;return P==3?as(10,O):P==4?((L,z=1)=>$n.sinh(L)*z)(O,v.asinh):P==100?
v.bwd(O):O}function ac(d,h){Oe(js,i,nt.left=d),Oe(js,n,nt.width=h)}function sc(d,h){Oe(js,"top",nt.top=d),Oe(js,s,nt.height=h)}it&&fs&&on(N,Pn,(d=>{re._lock||(Ua(
d),Ja!=null&&Bn(null,Cs,!0,jt.setSeries))})),p.valToIdx=d=>En(d,u[0]),p.posToIdx=function(d,h){return En(Jn(d,G,h),u[0],It,Pt)},p.posToVal=Jn,p.valToPos=(d,h,m)=>K[h].
ori==0?_(d,K[h],m?Ln:je,m?Sn:0):x(d,K[h],m?qa:V,m?rn:0),p.setCursor=(d,h,m)=>{tt=d.left,lt=d.top,Ga(null,h,m)};let fo=Q.ori==0?ac:sc,mo=Q.ori==1?ac:sc;function vi(d,h){
if(d!=null&&(d.idxs?d.idxs.forEach(((m,v)=>{Re[v]=m})):(m=>m===void 0)(d.idx)||Re.fill(d.idx),ce.idx=Re[0]),it&&ce.live){for(let m=0;H.length>m;m++)(m>0||g==1&&
!Cn)&&Th(m,Re[m]);(function(){if(it&&ce.live)for(let m=g==2?1:0;H.length>m;m++){if(m==0&&Cn)continue;let v=ce.values[m],k=0;for(let S in v)ha[m][k++].firstChild.
nodeValue=v[S]}})()}Tn=!1,h!==!1&&zt("setLegend")}function Th(d,h){let m,v=H[d],k=d==0&&le==2?zn:u[d];Cn?m=v.values(p,d,h)??fa:(m=v.value(p,h==null?null:k[h],d,
h),m=m==null?fa:{_:m}),ce.values[d]=m}function Ga(d,h,m){let v;ec=tt,tc=lt,[tt,lt]=re.move(p,tt,lt),re.left=tt,re.top=lt,mt&&(ws&&_n(ws,Rt(tt),0,je,V),ys&&_n(ys,
0,Rt(lt),je,V)),na=Ve,va=null;let k=Q.ori==0?je:V,S=Q.ori==1?je:V;if(0>tt||Bt==0||It>Pt){v=re.idx=null;for(let O=0;H.length>O;O++){let P=Dn[O];P!=null&&_n(P,-10,
-10,je,V)}fs&&Bn(null,Cs,!0,d==null&&jt.setSeries),ce.live&&(Re.fill(v),Tn=!0)}else{let O,P,L;g==1&&(O=Q.ori==0?tt:lt,P=Jn(O,G),v=re.idx=En(P,u[0],It,Pt),L=me(u[0][v],
Q,k,0));let z=-10,B=-10,ie=0,Fe=0,ye=!0,ge="",ve="";for(let W=g==2?1:0;H.length>W;W++){let fe=H[W],qe=Re[W],wt=qe==null?null:g==1?u[W][qe]:u[W][1][qe],at=re.dataIdx(
p,W,v,P),Be=at==null?null:g==1?u[W][at]:u[W][1][at];if(Tn=Tn||Be!=wt||at!=qe,Re[W]=at,W>0&&fe.show){let Gt=at==null?-10:at==v?L:me(g==1?u[0][at]:u[W][0][at],Q,k,
0),Qt=Be==null?-10:ze(Be,g==1?K[fe.scale]:K[fe.facets[1].scale],S,0);if(fs&&Be!=null){let en=Q.ori==1?tt:lt,$t=Dt(Un.dist(p,W,at,Qt,en));if(na>$t){let wn=Un.bias;
if(wn!=0){let Ct=Jn(en,fe.scale),st=0>Ct?-1:1;st!=(0>Be?-1:1)||(st==1?wn==1?Ct>Be:Be>Ct:wn==1?Be>Ct:Ct>Be)||(na=$t,va=W)}else na=$t,va=W}}if(Tn||ms){let en,$t;Q.
ori==0?(en=Gt,$t=Qt):(en=Qt,$t=Gt);let wn,Ct,st,tn,dn,Rn,aa=!0,ya=Xt.bbox;if(ya!=null){aa=!1;let yn=ya(p,W);st=yn.left,tn=yn.top,wn=yn.width,Ct=yn.height}else st=
en,tn=$t,wn=Ct=Xt.size(p,W);if(Rn=Xt.fill(p,W),dn=Xt.stroke(p,W),ms)W!=va||na>Un.prox||(z=st,B=tn,ie=wn,Fe=Ct,ye=aa,ge=Rn,ve=dn);else{let yn=Dn[W];yn!=null&&($s[W]=
st,gs[W]=tn,ts(yn,wn,Ct,aa),Mo(yn,Rn,dn),_n(yn,jn(st),jn(tn),je,V))}}}}if(ms){let W=Un.prox;if(Tn||(Ja==null?W>=na:na>W||va!=Ja)){let fe=Dn[0];fe!=null&&($s[0]=
z,gs[0]=B,ts(fe,ie,Fe,ye),Mo(fe,ge,ve),_n(fe,jn(z),jn(B),je,V))}}}if(nt.show&&ga)if(d!=null){let[O,P]=jt.scales,[L,z]=jt.match,[B,ie]=d.cursor.sync.scales,Fe=d.
cursor.drag;if(Ft=Fe._x,Lt=Fe._y,Ft||Lt){let ye,ge,ve,W,fe,{left:qe,top:wt,width:at,height:Be}=d.select,Gt=d.scales[B].ori,Qt=d.posToVal,en=O!=null&&L(O,B),$t=P!=
null&&z(P,ie);en&&Ft?(Gt==0?(ye=qe,ge=at):(ye=wt,ge=Be),ve=K[O],W=me(Qt(ye,B),ve,k,0),fe=me(Qt(ye+ge,B),ve,k,0),fo(In(W,fe),Dt(fe-W))):fo(0,k),$t&&Lt?(Gt==1?(ye=
qe,ge=at):(ye=wt,ge=Be),ve=K[P],W=ze(Qt(ye,ie),ve,S,0),fe=ze(Qt(ye+ge,ie),ve,S,0),mo(In(W,fe),Dt(fe-W))):mo(0,S)}else xi()}else{let O=Dt(ec-Xd),P=Dt(tc-Qd);if(Q.
ori==1){let ie=O;O=P,P=ie}Ft=Jt.x&&O>=Jt.dist,Lt=Jt.y&&P>=Jt.dist;let L,z,B=Jt.uni;B!=null?Ft&&Lt&&(Ft=O>=B,Lt=P>=B,Ft||Lt||(P>O?Lt=!0:Ft=!0)):Jt.x&&Jt.y&&(Ft||
Lt)&&(Ft=Lt=!0),Ft&&(Q.ori==0?(L=xs,z=tt):(L=ks,z=lt),fo(In(L,z),Dt(z-L)),Lt||mo(0,S)),Lt&&(Q.ori==1?(L=xs,z=tt):(L=ks,z=lt),mo(In(L,z),Dt(z-L)),Ft||fo(0,k)),Ft||
Lt||(fo(0,0),mo(0,0))}if(Jt._x=Ft,Jt._y=Lt,d==null){if(m){if(mc!=null){let[O,P]=jt.scales;jt.values[0]=O!=null?Jn(Q.ori==0?tt:lt,O):null,jt.values[1]=P!=null?Jn(
Q.ori==1?tt:lt,P):null}go(y,p,tt,lt,je,V,v)}if(fs){let O=m&&jt.setSeries,P=Un.prox;Ja==null?na>P||Bn(va,Cs,!0,O):na>P?Bn(null,Cs,!0,O):va!=Ja&&Bn(va,Cs,!0,O)}}Tn&&
(ce.idx=v,vi()),h!==!1&&zt("setCursor")}p.setLegend=vi;let wa=null;function $o(d=!1){d?wa=null:(wa=J.getBoundingClientRect(),zt("syncRect",wa))}function oc(d,h,m,v,k,S){
re._lock||ga&&d!=null&&d.movementX==0&&d.movementY==0||(wi(d,h,m,v,k,S,0,!1,d!=null),d!=null?Ga(null,!0,!0):Ga(h,!0,!1))}function wi(d,h,m,v,k,S,O,P,L){if(wa==null&&
$o(!1),Ua(d),d!=null)m=d.clientX-wa.left,v=d.clientY-wa.top;else{if(0>m||0>v)return tt=-10,void(lt=-10);let[z,B]=jt.scales,ie=h.cursor.sync,[Fe,ye]=ie.values,[ge,
ve]=ie.scales,[W,fe]=jt.match,qe=h.axes[0].side%2==1,wt=Q.ori==0?je:V,at=Q.ori==1?je:V,Be=qe?S:k,Gt=qe?k:S,Qt=qe?v:m,en=qe?m:v;if(m=ge!=null?W(z,ge)?D(Fe,K[z],wt,
0):-10:wt*(Qt/Be),v=ve!=null?fe(B,ve)?D(ye,K[B],at,0):-10:at*(en/Gt),Q.ori==1){let $t=m;m=v,v=$t}}!L||h!=null&&h.cursor.event.type!=y||(m>1&&je-1>m||(m=Pa(m,je)),
v>1&&V-1>v||(v=Pa(v,V))),P?(Xd=m,Qd=v,[xs,ks]=re.move(p,m,v)):(tt=m,lt=v)}Object.defineProperty(p,"rect",{get:()=>(wa==null&&$o(!1),wa)});let yi={width:0,height:0,
left:0,top:0};function xi(){Qo(yi,!1)}let rc,ic,lc,dc;function cc(d,h,m,v,k,S){ga=!0,Ft=Lt=Jt._x=Jt._y=!1,wi(d,h,m,v,k,S,0,!0,!1),d!=null&&(on(b,kt,uc,!1),go(A,
p,xs,ks,je,V,null));let{left:O,top:P,width:L,height:z}=nt;rc=O,ic=P,lc=L,dc=z}function uc(d,h,m,v,k,S){ga=Jt._x=Jt._y=!1,wi(d,h,m,v,k,S,0,!1,!0);let{left:O,top:P,
width:L,height:z}=nt,B=L>0||z>0,ie=rc!=O||ic!=P||lc!=L||dc!=z;if(B&&ie&&Qo(nt),Jt.setScale&&B&&ie){let Fe=O,ye=L,ge=P,ve=z;if(Q.ori==1&&(Fe=P,ye=z,ge=O,ve=L),Ft&&
ba(G,Jn(Fe,G),Jn(Fe+ye,G)),Lt)for(let W in K){let fe=K[W];W!=G&&fe.from==null&&fe.min!=Ve&&ba(W,Jn(ge+ve,W),Jn(ge,W))}xi()}else re.lock&&(re._lock=!re._lock,Ga(
h,!0,d!=null));d!=null&&(ps(b,kt),go(b,p,tt,lt,je,V,null))}function pc(d){re._lock||(Ua(d),ui(),xi(),d!=null&&go(Z,p,tt,lt,je,V,null))}function hc(){be.forEach(
kh),ai(p.width,p.height,!0)}mn(Se,gt,hc);let Ss={};Ss.mousedown=cc,Ss.mousemove=oc,Ss.mouseup=uc,Ss.dblclick=pc,Ss.setSeries=(d,h,m,v)=>{(m=(0,jt.match[2])(p,h,
m))!=-1&&Bn(m,v,!0,!1)},mt&&(on(A,J,cc),on(y,J,oc),on(T,J,(d=>{Ua(d),$o(!1)})),on(N,J,(function(d){if(re._lock)return;Ua(d);let h=ga;if(ga){let m,v,k=!0,S=!0,O=10;
Q.ori==0?(m=Ft,v=Lt):(m=Lt,v=Ft),m&&v&&(k=O>=tt||tt>=je-O,S=O>=lt||lt>=V-O),m&&k&&(tt=xs>tt?0:je),v&&S&&(lt=ks>lt?0:V),Ga(null,!0,!0),ga=!1}tt=-10,lt=-10,Re.fill(
null),Ga(null,!0,!0),h&&(ga=h)})),on(Z,J,pc),ei.add(p),p.syncRect=$o);let er=p.hooks=l.hooks||{};function zt(d,h,m){gi?ho.push([d,h,m]):d in er&&er[d].forEach((v=>{
v.call(null,p,h,m)}))}(l.plugins||[]).forEach((d=>{for(let h in d.hooks)er[h]=(er[h]||[]).concat(d.hooks[h])}));let fc=(d,h,m)=>m,jt=_t({key:null,setSeries:!1,filters:{
pub:Nl,sub:Nl},scales:[G,H[1]?H[1].scale:null],match:[Wl,Wl,fc],values:[null,null]},re.sync);jt.match.length==2&&jt.match.push(fc),re.sync=jt;let mc=jt.key,ki=_d(
mc);function go(d,h,m,v,k,S,O){jt.filters.pub(d,h,m,v,k,S,O)&&ki.pub(d,h,m,v,k,S,O)}function _i(){zt("init",l,u),Bd(u||l.data,!1),he[G]?bi(G,he[G]):ui(),Go=nt.show&&
(nt.width>0||nt.height>0),Ha=Tn=!0,ai(l.width,l.height)}return ki.sub(p),p.pub=function(d,h,m,v,k,S,O){jt.filters.sub(d,h,m,v,k,S,O)&&Ss[d](null,h,m,v,k,S,O)},p.
destroy=function(){ki.unsub(p),ei.delete(p),ma.clear(),ns(Se,gt,hc),R.remove(),Pn?.remove(),zt("destroy")},H.forEach(Hd),be.forEach((function(d,h){if(d._show=d.
show,d.show){let m=K[d.scale];m==null&&(d.scale=d.side%2?H[1].scale:G,m=K[d.scale]);let v=m.time;d.size=Ee(d.size),d.space=Ee(d.space),d.rotate=Ee(d.rotate),pa(
d.incrs)&&d.incrs.forEach((S=>{!ua.has(S)&&ua.set(S,Hl(S))})),d.incrs=Ee(d.incrs||(m.distr==2?Gp:v?pe==1?Kp:Zp:Fa)),d.splits=Ee(d.splits||(v&&m.distr==1?At:m.distr==
3?Vr:m.distr==4?sh:ah)),d.stroke=Ee(d.stroke),d.grid.stroke=Ee(d.grid.stroke),d.ticks.stroke=Ee(d.ticks.stroke),d.border.stroke=Ee(d.border.stroke);let k=d.values;
d.values=pa(k)&&!pa(k[0])?Ee(k):v?pa(k)?rd(Me,od(k,rt)):Bl(k)?(function(S,O){let P=Hr(O);return(L,z)=>z.map((B=>P(S(B))))})(Me,k):k||Ze:k||nh,d.filter=Ee(d.filter||
(3>m.distr||m.log!=10?m.distr==3&&m.log==2?lh:zl:ih)),d.font=Nd(d.font),d.labelFont=Nd(d.labelFont),d._size=d.size(p,null,h,0),d._space=d._rotate=d._incrs=d._found=
d._splits=d._values=null,d._size>0&&(Ba[h]=!0,d._el=Vt("u-axis",q))}})),$?$ instanceof HTMLElement?($.appendChild(R),_i()):$(p,_i):_i(),p}Zt.assign=_t,Zt.fmtNum=
zr,Zt.rangeNum=Io,Zt.rangeLog=Eo,Zt.rangeAsinh=Fr,Zt.orient=La,Zt.pxRatio=U,Zt.join=function(l,u){if((function(x){let D=x[0][0],M=D.length;for(let R=1;x.length>
R;R++){let E=x[R][0];if(E.length!=M)return!1;if(E!=D){for(let C=0;M>C;C++)if(E[C]!=D[C])return!1}}return!0})(l)){let x=l[0].slice();for(let D=1;l.length>D;D++)x.
push(...l[D].slice(1));return(function(D,M=100){let R=D.length;if(1>=R)return!0;let E=0,C=R-1;for(;C>=E&&D[E]==null;)E++;for(;C>=E&&D[C]==null;)C--;if(E>=C)return!0;
let q=sn(1,gn((C-E+1)/M));for(let X=D[E],J=E+q;C>=J;J+=q){let Y=D[J];if(Y!=null){if(X>=Y)return!1;X=Y}}return!0})(x[0])||(x=(function(D){let M=D[0],R=M.length,E=Array(
R);for(let q=0;E.length>q;q++)E[q]=q;E.sort(((q,X)=>M[q]-M[X]));let C=[];for(let q=0;D.length>q;q++){let X=D[q],J=Array(R);for(let Y=0;R>Y;Y++)J[Y]=X[E[Y]];C.push(
J)}return C})(x)),x}let $=new Set;for(let x=0;l.length>x;x++){let D=l[x][0],M=D.length;for(let R=0;M>R;R++)$.add(D[R])}let p=[Array.from($).sort(((x,D)=>x-D))],
g=p[0].length,_=new Map;for(let x=0;g>x;x++)_.set(p[0][x],x);for(let x=0;l.length>x;x++){let D=l[x],M=D[0];for(let R=1;D.length>R;R++){let E=D[R],C=Array(g).fill(
void 0),q=u?u[x][R]:1,X=[];for(let J=0;E.length>J;J++){let Y=E[J],we=_.get(M[J]);Y===null?q!=0&&(C[we]=Y,q==2&&X.push(we)):C[we]=Y}zp(C,X,g),p.push(C)}}return p},
Zt.fmtDate=Hr,Zt.tzDate=function(l,u){let $;return u=="UTC"||u=="Etc/UTC"?$=new Date(+l+6e4*l.getTimezoneOffset()):u==Bp?$=l:($=new Date(l.toLocaleString("en-US",
{timeZone:u})),$.setMilliseconds(l.getMilliseconds())),$},Zt.sync=_d;{Zt.addGap=function(u,$,p){let g=u[u.length-1];g&&g[0]==$?g[1]=p:u.push([$,p])},Zt.clipGaps=
qo;let l=Zt.paths={points:Ad};l.linear=Od,l.stepped=function(u){let $=Le(u.align,1),p=Le(u.ascDesc,!1),g=Le(u.alignGaps,0),_=Le(u.extend,!1);return(x,D,M,R)=>La(
x,D,((E,C,q,X,J,Y,we,pe,H,be,K)=>{[M,R]=Oo(q,M,R);let oe=E.pxRound,{left:G,width:ke}=x.bbox,_e=Re=>oe(Y(Re,X,be,pe)),De=Re=>oe(we(Re,J,K,H)),Ae=X.ori==0?is:ls,Q={
stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},le=Q.stroke,me=X.dir*(X.ori==0?1:-1),ze=De(q[me==1?M:R]),he=_e(C[me==1?M:R]),Me=he,rt=he;_&&$==
-1&&(rt=G,Ae(le,rt,ze)),Ae(le,he,ze);for(let Re=me==1?M:R;Re>=M&&R>=Re;Re+=me){let ce=q[Re];if(ce==null)continue;let re=_e(C[Re]),it=De(ce);$==1?Ae(le,re,ze):Ae(
le,Me,it),Ae(le,re,it),ze=it,Me=re}let At=Me;_&&$==1&&(At=G+ke,Ae(le,At,ze));let[Ze,Ht]=Zr(x,D);if(E.fill!=null||Ze!=0){let Re=Q.fill=new Path2D(le),ce=De(E.fillTo(
x,D,E.min,E.max,Ze));Ae(Re,At,ce),Ae(Re,rt,ce)}if(!E.spanGaps){let Re=[];Re.push(...Xr(C,q,M,R,me,_e,g));let ce=E.width*U/2,re=p||$==1?ce:-ce,it=p||$==-1?-ce:ce;
Re.forEach((mt=>{mt[0]+=re,mt[1]+=it})),Q.gaps=Re=E.gaps(x,D,M,R,Re),Q.clip=qo(Re,X.ori,pe,H,be,K)}return Ht!=0&&(Q.band=Ht==2?[Qn(x,D,M,R,le,-1),Qn(x,D,M,R,le,
1)]:Qn(x,D,M,R,le,Ht)),Q}))},l.bars=function(u){let $=Le((u=u||ro).size,[.6,Ve,1]),p=u.align||0,g=u.gap||0,_=u.radius;_=_==null?[0,0]:typeof _=="number"?[_,0]:_;
let x=Ee(_),D=1-$[0],M=Le($[1],Ve),R=Le($[2],1),E=Le(u.disp,ro),C=Le(u.each,(()=>{})),{fill:q,stroke:X}=E;return(J,Y,we,pe)=>La(J,Y,((H,be,K,oe,G,ke,_e,De,Ae,Q,le)=>{
let me,ze,he=H.pxRound,Me=p,rt=g*U,At=M*U,Ze=R*U;oe.ori==0?[me,ze]=x(J,Y):[ze,me]=x(J,Y);let Ht=oe.dir*(oe.ori==0?1:-1),Re,ce,re,it=oe.ori==0?Bo:Qr,mt=oe.ori==0?
C:(V,Xe,Ut,Na,ta,Wa,Fn)=>{C(V,Xe,Ut,ta,Na,Fn,Wa)},bt=Le(J.bands,qr).find((V=>V.series[0]==Y)),Pn=H.fillTo(J,Y,H.min,H.max,bt!=null?bt.dir:0),ds=he(_e(Pn,G,le,Ae)),
bn=Q,vt=he(H.width*U),vn=!1,ha=null,Cn=null,fa=null,cs=null;q==null||vt!=0&&X==null||(vn=!0,ha=q.values(J,Y,we,pe),Cn=new Map,new Set(ha).forEach((V=>{V!=null&&
Cn.set(V,new Path2D)})),vt>0&&(fa=X.values(J,Y,we,pe),cs=new Map,new Set(fa).forEach((V=>{V!=null&&cs.set(V,new Path2D)}))));let{x0:us,size:co}=E;if(us!=null&&co!=
null){Me=1,be=us.values(J,Y,we,pe),us.unit==2&&(be=be.map((Xe=>J.posToVal(De+Xe*Q,oe.key,!0))));let V=co.values(J,Y,we,pe);ce=co.unit==2?V[0]*Q:ke(V[0],oe,Q,De)-
ke(0,oe,Q,De),bn=Ed(be,K,ke,oe,Q,De,bn),re=bn-ce+rt}else bn=Ed(be,K,ke,oe,Q,De,bn),re=bn*D+rt,ce=bn-re;1>re&&(re=0),ce/2>vt||(vt=0),5>re&&(he=Ll);let ma=re>0;ce=
he(Wr(bn-re-(ma?vt:0),Ze,At)),Re=(Me==0?ce/2:Me==Ht?0:ce)-Me*Ht*((Me==0?rt/2:0)+(ma?vt/2:0));let on={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},
ps=vn?null:new Path2D,ea=null;if(bt!=null)ea=J.data[bt.series[1]];else{let{y0:V,y1:Xe}=E;V!=null&&Xe!=null&&(K=Xe.values(J,Y,we,pe),ea=V.values(J,Y,we,pe))}let za=me*
ce,je=ze*ce;for(let V=Ht==1?we:pe;V>=we&&pe>=V;V+=Ht){let Xe=K[V];if(Xe==null)continue;if(ea!=null){let rn=ea[V]??0;if(Xe-rn==0)continue;ds=_e(rn,G,le,Ae)}let Ut=ke(
oe.distr!=2||E!=null?be[V]:V,oe,Q,De),Na=_e(Le(Xe,Pn),G,le,Ae),ta=he(Ut-Re),Wa=he(sn(Na,ds)),Fn=he(In(Na,ds)),Sn=Wa-Fn;if(Xe!=null){let rn=0>Xe?je:za,Ln=0>Xe?za:
je;vn?(vt>0&&fa[V]!=null&&it(cs.get(fa[V]),ta,Fn+gn(vt/2),ce,sn(0,Sn-vt),rn,Ln),ha[V]!=null&&it(Cn.get(ha[V]),ta,Fn+gn(vt/2),ce,sn(0,Sn-vt),rn,Ln)):it(ps,ta,Fn+
gn(vt/2),ce,sn(0,Sn-vt),rn,Ln),mt(J,Y,V,ta-vt/2,Fn,ce+vt,Sn)}}return vt>0?on.stroke=vn?cs:ps:vn||(on._fill=H.width==0?H._fill:H._stroke??H._fill,on.width=0),on.
fill=vn?Cn:ps,on}))},l.spline=function(u){return(function($,p){let g=Le(p?.alignGaps,0);return(_,x,D,M)=>La(_,x,((R,E,C,q,X,J,Y,we,pe,H,be)=>{[D,M]=Oo(C,D,M);let K,
oe,G,ke=R.pxRound,_e=Ze=>ke(J(Ze,q,H,we)),De=Ze=>ke(Y(Ze,X,be,pe));q.ori==0?(K=Ho,G=is,oe=Dd):(K=Uo,G=ls,oe=Rd);let Ae=q.dir*(q.ori==0?1:-1),Q=_e(E[Ae==1?D:M]),
le=Q,me=[],ze=[];for(let Ze=Ae==1?D:M;Ze>=D&&M>=Ze;Ze+=Ae)if(C[Ze]!=null){let Ht=_e(E[Ze]);me.push(le=Ht),ze.push(De(C[Ze]))}let he={stroke:$(me,ze,K,G,oe,ke),fill:null,
clip:null,band:null,gaps:null,flags:1},Me=he.stroke,[rt,At]=Zr(_,x);if(R.fill!=null||rt!=0){let Ze=he.fill=new Path2D(Me),Ht=De(R.fillTo(_,x,R.min,R.max,rt));G(
Ze,le,Ht),G(Ze,Q,Ht)}if(!R.spanGaps){let Ze=[];Ze.push(...Xr(E,C,D,M,Ae,_e,g)),he.gaps=Ze=R.gaps(_,x,D,M,Ze),he.clip=qo(Ze,q.ori,we,pe,H,be)}return At!=0&&(he.band=
At==2?[Qn(_,x,D,M,Me,-1),Qn(_,x,D,M,Me,1)]:Qn(_,x,D,M,Me,At)),he}))})(mh,u)}}return Zt})(),jr=ff;function Hs(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var nl="11px system-ui, sans-serif",_u=(e,t,n=52)=>({stroke:Hs(
"--ink-faint",e),font:nl,size:n,values:t,grid:{stroke:Hs("--line",e),width:1},ticks:{show:!1}}),mf=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function $f(e,t,n){let{ctx:s}=e,{left:o,top:r,width:i,height:c}=e.bbox,w=f=>Math.min(Math.max(f,o),o+i);s.save();for(let f of t){let y=e.valToPos(Date.parse(f.at)/
1e3,"x",!0);if(f.kind==="outage"){let A=f.until?e.valToPos(Date.parse(f.until)/1e3,"x",!0):o+i;s.fillStyle=Hs("--bad-soft",n),s.fillRect(w(y),r,Math.max(w(A)-w(
y),devicePixelRatio),c)}else y>=o&&y<=o+i&&(s.strokeStyle=Hs("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(y,r),s.lineTo(y,r+c),s.stroke())}s.restore()}function gf({marks:e,from:t,to:n}){let s=i=>(i.kind==="start"?Date.parse(i.at):i.until?Date.
parse(i.until):dt())/1e3,o=e.filter(i=>s(i)>=t&&Date.parse(i.at)/1e3<=n);if(o.length===0)return null;let r=Object.values(Object.groupBy(o,i=>i.kind+i.says)).sort(
(i,c)=>Date.parse(i.at(-1).at)-Date.parse(c.at(-1).at));return a`<ul class="marks small soft">${r.length>4&&a`<li>and ${F(r.length-4,"earlier event")}</li>`}${r.
slice(-4).map(i=>[i.length,i.at(-1)]).map(([i,c])=>a`<li><i class=${c.kind}></i><span class="nowrap" title=${Nt(c.at)}>${cn(c.at)}</span> ${c.says}${c.kind==="o\
utage"&&(c.until?` for ${pn((Date.parse(c.until)-Date.parse(c.at))/1e3)}`:", still")}${i>1&&`; ${i===2?"once":`${j(i-1)} times`} before`}</li>`)}</ul>`}function bf(e,t){
let n=600-(t-e);return n>0&&e!=null?[e-n/2,t+n/2]:[e,t]}function Ra({data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:i,counts:c,marks:w}){let f=Mt(w);
f.current=w;let y=Mt(null),A=Mt(null),b=()=>{let T=y.current;A.current?.destroy(),A.current=new jr({tzDate:N=>An()?jr.tzDate(new Date(N*1e3),"UTC"):new Date(N*1e3),
width:T.clientWidth,height:n,padding:[8,22,0,0],cursor:{points:{size:6},y:!1},legend:{live:!0},scales:{x:{range:(N,Z,ue)=>bf(Z,ue)},y:{range:(N,Z,ue)=>[Math.min(
0,Z??0),Math.max(ue??0,r)*1.1]}},hooks:{drawClear:[N=>$f(N,f.current??[],T)]},axes:[{..._u(T),size:46,space:70,label:Rs(),labelSize:14,labelGap:0,labelFont:nl,values:(N,Z,ue,Se,ae)=>Gc(
Z,ae)},{..._u(T,(N,Z)=>Z.map(s??String),i?66:52),...c?{incrs:mf}:{},...i?{label:i,labelSize:16,labelGap:0,labelFont:nl}:{}}],series:[{value:(N,Z)=>Z?Nt(Z*1e3):""},
...t.map(([N,Z,ue])=>({label:N,stroke:Hs(Z,T),width:1.75,points:{show:!1},value:(Se,ae)=>ae==null?"":(s??String)(ae),...ue,...ue?.filled?{fill:Hs(ue.filled,T)}:
{}}))]},e,T)};return xe(()=>{b();let T=new ResizeObserver(()=>{A.current&&y.current&&A.current.width!==y.current.clientWidth&&A.current.setSize({width:y.current.
clientWidth,height:n})});T.observe(y.current);let N=kr(b);return()=>{T.disconnect(),N(),A.current?.destroy()}},[]),xe(()=>{A.current?.setData(e)},[e]),xe(()=>{A.
current?.redraw(!1)},[w]),a`<div class="chart" ref=${y} role="img" aria-label=${o}></div>
    ${w?.length>0&&a`<${gf} marks=${w} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,dt()/1e3-60)} />`}`}var al=()=>jr.paths.bars({size:[.7,26],radius:.15});var vf={done:"good",held:"warn",approved:"good",rejected:""},Us=({is:e})=>a`<span class="badge ${vf[e]??""}">${e}</span>`,wf={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},yf={unknown:"cannot decide",none:"unchanged"},Bs=({is:e})=>a`<span class="badge ${wf[e]??""}">${yf[e]??
e}</span>`,Js=e=>e.from===e.to?`${e.from} ${e.currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function Gs(e){let t=new Map;for(let n of e){let s=n.action===
"unknown",o=n.level||s?["",n.date,n.rule,n.level,n.action,n.wants,n.guard,n.left,n.bidding?.field,(s||!n.bidding)&&n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(o)?t.get(o).parts.push(n):t.set(o,n.level||s?{...n,key:o,parts:[n]}:{...n,key:o})}return[...t.values()].map(n=>!n.level&&n.parts?.length===1?{...n,parts:void 0}:
n)}var Ks=e=>(e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,""):e.reason).replace(/^(unknown|would [^:]+, and waits for approval): /,
"");function Aa({d:e}){if(e.parts){let n=e.bidding?[`${xn[e.bidding.field]}`,`${xn[e.bidding.field]}s`]:["creative"],s=F(new Set(e.parts.map(o=>o.campaign)).size,
"campaign");return a`<details><summary>${!e.bidding&&e.parts.some(o=>!o.creative)?s:`${F(e.parts.length,...n)} of ${s}`}</summary>${e.parts.map(o=>a`<div key=${o.
key}><${Aa} d=${o} /></div>`)}</details>`}let t=a`<div class="note"><a href=${te("campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${te(
"rules","why",e.campaign)}>${xn[e.bidding.field]}</a>${(e.action!=="unknown"||e.bidding.from>0)&&a`<div class="note">${Js(e.bidding)}</div>`}${t}`:e.creative?a`<a class="id" href=${te(
"rules","why",e.creative)}>${e.creative}</a>${t}`:a`<a class="id" href=${te("campaigns",e.campaign)}>${e.campaign}</a>`}var xf=["pause","resume","decrease","inc\
rease","held","notify","unknown","none"],ju={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:["notice"],none:["unchanged","\
unchanged"]},jo=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),Cr=e=>e.warnings?.some(t=>t.code==="stopped");function kf({counts:e,
state:t,guards:n={}},s,o,r){let i=r?[`${j(s)} ${t==="held"?`${s===1?"waits":"wait"} for approval`:t}`,o&&`${j(o)} dropped`]:[],c=Object.keys(Es).filter(f=>n[f]&&
!yr[f]&&f!=="cap");if(c.length===1&&n[c[0]]===e.held)return` by ${Es[c[0]]}`;let w=[...i.filter(Boolean),...c.map(f=>`${j(n[f])} by ${Es[f]}`)];return w.length?
` (${w.join(", ")})`:""}function Ma(e,t){let{counts:n,state:s,leftOut:o}=e,r=o?.length??0,i=Is(e)-r,c=s!=="done"&&(i!==n?.held||jo(e)>0),w=y=>y==="unknown"?`can\
not decide on ${j(n[y])}`:ju[y]?F(n[y],...ju[y]):`${j(n[y])} ${y}${kf(e,i,r,c)}`,f=xf.filter(y=>n?.[y]&&(t||y!=="none")).map(w);for(let y in yr)e.guards?.[y]&&f.
push(`${j(e.guards[y])} ${yr[y]}`);return f.length?f.join(", "):"nothing to do"}var Sr=e=>`would ${e.wants}${e.left?", left out of the approval":Es[e.guard]?`, \
held by ${Es[e.guard]}`:""}`;function Cu(e){let t=e.decision,n=t.bidding?`the ${xn[t.bidding.field]}`:"it";return t.action==="unknown"?"could not decide":t.action===
"none"?t.guard==="hands_off"?`left ${n} alone`:`did not change ${n}`:t.action==="notify"?`would ${t.wants} ${n}, but only notifies`:t.action!=="held"?`decided t\
o ${t.action} ${n}`:t.left?`wanted to ${t.wants} ${n}, and ${e.by||"somebody"} approved the run without that`:Ca(t)&&e.state==="held"?`wants to ${t.wants} ${n},\
 and waits for approval`:Ca(t)&&e.state==="rejected"?`wanted to ${t.wants} ${n}, and ${e.by||"somebody"} rejected that`:`wanted to ${t.wants} ${n}, but did not`}
function Za({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.map(([n,s])=>a`<span class="tag">${n} ${un(s)}</span> `)}</div>`:null}
function Vs({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.by} <${ne} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:
null}var _f=new Intl.Collator("en",{numeric:!0}),jf=(e,t)=>typeof e=="number"?e-t:_f.compare(e,t);function Su(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(Mn().params[n]??""),
r=e.find(c=>c.key===o&&c.value);return[nn(()=>{if(!r)return t;let c=t.filter(w=>r.value(w)!=null).sort((w,f)=>jf(r.value(w),r.value(f)));return[...s?c.reverse():
c,...t.filter(w=>r.value(w)==null)]},[t,o,s]),e.map(c=>a`<${Cf} key=${c.key} c=${c} name=${n} way=${c===r?s?"descending":"ascending":"none"} />`)]}function Cf({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>Qe(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Ys({columns:e,rows:t,id:n,href:s,
label:o}){let[r,i]=Su(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${i}</tr></thead><tbody>
    ${r.map(c=>a`<tr key=${n(c)} data-href=${s?.(c)}>${e.map(w=>a`<td class=${`${w.num?"num":""} ${w.look??""}`} data-name=${w.card===!1?void 0:w.title}>${w.cell(
c)}</td>`)}</tr>`)}</tbody></table>`}var Sf=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function ot({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[i,c]=Su(e.map(([w,f,y,A])=>({key:Sf(w),title:w,value:f,num:y,meaning:A})),t,n);return a`<table class=${s}><thead><tr>${o}${c}</tr></thead><tbody>${i.
map(r)}</tbody></table>`}var Tr=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),Ot=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:Tr(e.target),sl=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${j(e.added)}</span> <span class=${e.large?"bad-ink":e.removed?"":"faint"}>−${j(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
ol=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every,Co=e=>e==="failed"||e==="cancelled";function rl({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.blind?a`<span class="badge bad">blind</span> <span class="small"><${Ya} at=${e.blind} /></span>`:e.late?
a`<span class="badge bad">late</span> <span class="small"><${Ya} at=${e.late} /></span>`:Co(e.jobState)?a`<span class="badge ${e.jobState==="failed"?"bad":"warn"}">last job ${e.
jobState}</span>`:e.next?a`next export by ${hr(e.next)}`:a`<span class="soft">looks ${ol(e)}</span>`:a`<span class="faint">no feed</span>`}var Tf=[{key:"name",title:"\
Audience",card:!1,value:e=>Ot(e),cell:e=>a`<a class="id" href=${te("audiences",e.target)}>${Ot(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.level===
"bad"?"bad-ink":""}"><${xt} text=${t.says} /></div>`)}`},{key:"size",title:"Ids",num:!0,value:e=>e.size,meaning:We.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:
a`<b>${j(e.size)}</b><div class="note">${e.sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:We.change,
value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${sl} c=${e.last} />${e.last&&a`<div class="note"><${ne} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Exp\
iry",num:!0,value:e=>e.expiry,meaning:"Days after which a member leaves the segment unless it is uploaded again",cell:e=>e.expiry?F(e.expiry,"day"):a`<span class="faint none">–</span>`},
{key:"feed",title:"Feed",value:e=>e.feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${rl} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",
num:!0,value:e=>e.ledger&&Date.parse(e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${ne} at=${e.ledger.at} />${e.
ledger.changed&&a`<div class="note">changed since</div>`}`:a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:We.open,
cell:e=>e.open?j(e.open):a`<span class="faint">0</span>`}],Df={title:"Audiences",sub:"The segments and device lists that jobs and feeds fill: how large they are\
, what changed last, and what is wrong.",none:"No audiences yet",hint:"A segment appears here with its first job or feed."},Rf={title:"Feeds",sub:"The places th\
at usher watches for new exports, each with the audience that it fills. An audience's page has its feed, and what to do with a held export.",none:"No feeds",hint:"\
Feeds are written in files, which whoever runs usher lists in its configuration.",only:e=>e.feed},Tu=({params:e})=>a`<${Ru} params=${e} about=${Df} />`,Du=({params:e})=>a`<${Ru} params=${e} about=${Rf} />`;
function Ru({params:e,about:t}){let n=$e("/api/audiences",["audiences","letters"]);return a`<${Je} title=${t.title} acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub=${t.
sub}>
    <${ct} result=${n}>${s=>{let{looking:o}=s,r=s.audiences.filter(t.only??(()=>!0)),i=r.filter(y=>y.problems.length>0),c=(e.text??"").toLowerCase(),w=(e.only===
"problems"?i:r).filter(y=>`${Ot(y)} ${Tr(y.target)} ${y.feed?.name??""}`.toLowerCase().includes(c)),f=r.length?["No audience matches","Remove a filter to see ot\
hers."]:o&&!t.only?["No audience found so far","Older jobs are being read."]:[t.none,t.hint];return a`<div class="filters"><${On} label="Search audience or feed …" value=${e.
text} onText=${y=>Qe({text:y})} />
        <${Ta} label="Which" value=${e.only} onPick=${y=>Qe({only:y})} options=${[["","All",Ls(r.length,o)],["problems","With problems",i.length]]} /></div>
        <${ee} flush>${w.length===0?a`<${Te} title=${f[0]}>${f[1]}<//>`:a`<${Ys} label=${t.title} columns=${Tf} rows=${w} params=${e} id=${y=>y.target} href=${y=>te(
"audiences",y.target)} /><div class="foot">${F(w.length,"audience")}</div>`}<${Fs} l=${o} /><//>`}}<//>
  <//>`}var Dr=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Oa=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function Af({tally:e}){let t=e.read||1,n=Dr.filter(([s])=>Oa(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${j(Oa(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${Dr.map(([s])=>Oa(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Oa(e[s])/t}}></i>`)}
  </div>`}function Au({tally:e,dryRun:t}){let n=Dr.reduce((s,[o])=>s+Oa(e[o]),0);return a`<${Af} tally=${e} />
    <div class="legend">
      ${Dr.filter(([s])=>s==="accepted"||Oa(e[s])>0).map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${j(Oa(e[s]))}</b>
        ${typeof e[s]=="object"&&Oa(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,i)=>i[1]-r[1]).map(([r,i])=>a`<span>${la(r)}<span>${j(i)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${j(n)}</b> ${n===e.read?a`<span class="good-ink">= ${F(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${F(e.read,"row")} read: please report this</span>`}</span></div>`}var Mf={queued:"queued",running:"running",retrying:"waiting for the next attempt"},il=e=>["done","failed","cancelled"].includes(e);function Of(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let i=r.map(A=>({state:A.state,at:Date.parse(A.at)}));o===1&&Date.parse(
e.submitted)<i[0].at&&i.unshift({state:"queued",at:Date.parse(e.submitted)});let c=i.at(-1),w=il(c.state)?c.at:Math.max(n,c.at),f=0,y=i.filter(A=>!il(A.state)).
map((A,b)=>(A.state==="running"&&i[b-1]?.state!=="running"&&f++,{...A,attempt:f,long:((i[b+1]?.at??w)-A.at)/1e3}));return{run:o,phases:Ef(y),from:i[0].at,to:w,end:il(
c.state)?c.state:""}})}function Ef(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var ll=e=>Mf[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${j(e.attempt)}`:"");function If({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let i=Math.max((s-n)/1e3,.001),c=t.map(
w=>`${ll(w)} ${pn(w.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${j(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${c}${o?`; ended ${o}`:""}`}>${t.map((w,f)=>a`<i key=${f} class=${w.state} style=${{flexGrow:Math.max(w.long/i,
.01)}} title=${`${ll(w)}: ${pn(w.long)}`}></i>`)}${o&&a`<b class=${el(o)}></b>`}</div>
    <div class="ends small faint"><span title=${Nt(n)}>${cn(n)}</span><span>${o||"now"} after ${pn(i)}</span></div>
    <ul class="small soft">${t.slice(0,12).map(w=>a`<li><i class="dot ${w.state}"></i>${ll(w)} <b>${pn(w.long)}</b></li>`)}${t.length>12&&a`<li>and ${j(t.length-
12)} more phases</li>`}</ul></figure>`}function Mu({r:e,history:t}){let n=Ps(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=Of(e,s,n),r=s.filter(i=>i.
error).slice(-5);return a`<${ee} title="Timeline">
    ${o.slice(-6).map(i=>a`<${If} key=${i.run} r=${i} many=${o.length>1||i.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${j(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(i=>a`<div class="small break"><span class="bad-ink" title=${i.error.class}>${Wt(i.error.class)}</span> <${ne} at=${i.at} /></div>`)}<//>`}var Pf=["source.column","source.only","source.disregard","input","source.delimiter","source.encoding","maxRejectPercent"],So=["force","acceptChange","dryRun"];function Zs(e,t=""){
return Object.entries(e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?Zs(s,t+n+"."):[[t+n,s]])}var Zn=e=>e===void 0?"not set":e===!0?"yes":e===
!1?"no":Array.isArray(e)?e.map(Zn).join(", "):typeof e=="object"&&e?Zs(e).map(([t,n])=>`${t} ${Zn(n)}`).join(", "):String(e),Ou=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],
e);function Ff(e,t){let[n]=e,s=e.length===1?n.remedies:[],o=ja[n?.class]??{};if(s.length&&n.class!=="source_missing"){let[i]=s[0];return i.field==="source.disre\
gard"?[]:s.slice(1).some(([c])=>c.field===i.field)?[{...i,open:!0}]:s[0]}if(e.length!==1)return[];let r=o.field??t.find(i=>n.class==="invalid_job"&&n.message?.includes(
"/"+i.replaceAll(".","/")));return r?[{field:r,value:o.value??"",open:!o.value}]:[]}function Xa({cause:e,filter:t,onClose:n,onDone:s=()=>{}}){let[o,r]=I(null),[
i,c]=I(""),[w,f]=I(""),[y,A]=I([]),[b,T]=I(""),[N,Z]=I(!1),[ue,Se]=I(""),[ae,ut]=I(null),[kt,gt]=I(""),[an,U]=I(!1),[ft,pt]=I(!1),ht=o?.causes??[],Oe=i==="accep\
tChange"&&ht.length===1&&/"force": true, which removes ([\d,]+ of the members)/.exec(ht[0].hint??"")?.[1],Et=i&&w.trim()?{[i]:w.trim(),...Object.fromEntries(y.map(
se=>[se.field,se.value])),...Oe&&ft?{force:"true"}:{}}:{},Vt=se=>{let[Yt,...mn]=se;c(Yt?.field??""),f(Yt&&!Yt.open?Yt.value:""),A(mn.filter(ns=>!ns.open&&!So.includes(
ns.field)))};xe(()=>{let se=!1;return Pe("/api/letters/plan",{filter:t}).then(Yt=>{se||(r(Yt),Vt(Ff(Yt.causes,Eu(Yt))))},Yt=>se||gt(Yt.message)),()=>{se=!0}},[]),
xe(()=>{i&&document.querySelector("dialog[open] [data-first]")?.focus()},[o]),xe(()=>{if(!o)return;if(!Object.keys(Et).length&&!N){ut(i?null:o);return}if(ut(null),
i&&!Object.keys(Et).length)return;let se=!1,Yt=setTimeout(()=>Pe("/api/letters/plan",{filter:{...t,through:o.through},set:Et,force:N}).then(mn=>se||(ut(mn),gt("")),
mn=>se||gt(mn.message)),250);return()=>{se=!0,clearTimeout(Yt)}},[o,i,w,ft,N]);let Ao=async()=>{await Pe("/api/letters/replay",{filter:{...t,through:o.through},
set:Et,force:N,rate:Number(ue)||0,reason:b.trim()||Nf(ht[0],Et)}),Ke(`${F(ae.count,"job")} will be ${i?"changed and ":""}replayed: the progress is on this page`),
s()},_n=o?Eu(o):[],no=i?"Fix and replay":"Replay",Mo=o&&(o.newer||N),ao=(ht.length===1?ht[0].remedies:[]).filter(se=>!se[0].open&&!(se[0].field===i&&se[0].value===
w)),ts=ae?.count>0&&(!i||w.trim())?Yi(Lf(t,o),Et,{force:N,rate:Number(ue)||0,reason:b.trim()}):[];return a`<${Ge} title="Fix and replay" wide act=${ae?`${no} ${F(
ae.count,"job")}`:no} ready=${ae?.count>0&&(!i||ae.changed>0)} onAct=${Ao} onClose=${n}>
    ${(ht.length?ht:e?[e]:[]).map(se=>a`<${de} key=${se.group} level="bad" says=${a`${ht.length>1&&a`<span class="tag">${F(se.count,"letter")}</span> `}${Wt(se.
class)}: <${xt} text=${se.message} />`} hint=${se.hint} of=${se.class} />`)}
    ${kt&&a`<${fn} says=${kt} />`}
    ${!o&&!kt&&a`<${kn} />`}
    ${o&&a`
      <div class="pair"><${Ie} name="What to change"><select value=${i} onChange=${se=>Vt(se.target.value?[{field:se.target.value,open:!0}]:[])}>
          <option value="" selected=${i===""}>Nothing: it is repaired elsewhere</option>
          ${_n.map(se=>a`<option value=${se} selected=${se===i}>${da(se)}</option>`)}</select><//>
        ${i&&a`<${Ie} name="New value">${So.includes(i)?a`<select value=${w} onChange=${se=>f(se.target.value)} data-first key=${i}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([se,Yt])=>a`<option value=${se} selected=${se===w}>${Yt}</option>`)}</select>`:a`<input type="text" value=${w} onInput=${se=>f(se.target.
value)} data-first autofocus key=${i} />`}<//>`}</div>
      ${ao.length>0&&a`<div class="small"><span class="soft">The error names</span> ${ao.map(se=>a`<button type="button" class="small" onClick=${()=>Vt(se)}>${da(
se[0].field)}: ${So.includes(se[0].field)?Zn(se[0].value==="true"):se[0].value}</button> `)}</div>`}
      ${y.length>0&&a`<div class="small soft">With it: ${y.map(se=>`${da(se.field)} ${se.value}`).join(", ")}</div>`}
      ${Oe&&a`<label class="check"><input type="checkbox" checked=${ft} onChange=${se=>pt(se.target.checked)} /><span>Also remove ${Oe}, which is more than is allowed: otherwise the job fails again</span></label>`}
      <${Wf} plan=${ae??o} field=${i} value=${w.trim()} />
      ${ae?a`<${qf} plan=${ae} field=${i} rate=${Number(ue)} />`:i&&w.trim()&&!kt?a`<${kn} />`:null}
      <${Hf} plan=${ae??o} />
      ${Mo&&a`<label class="check"><input type="checkbox" checked=${N} onChange=${se=>Z(se.target.checked)} /><span>Replay also what a newer job has superseded: it undoes what that job did</span></label>
        ${!N&&a`<div><button type="button" class="danger small" onClick=${()=>U(!0)}>Let them go …</button> <span class="small soft">discards what a newer job has superseded</span></div>`}`}`}
    <${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}. May be left empty.`}><input type="text" maxlength="1000" value=${b} onInput=${se=>T(
se.target.value)} /><//>
    <details class="small"><summary>Pace</summary><${Ie} name="Jobs a second" hint="Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${ue} onInput=${se=>Se(
se.target.value)} /><//></details>
    ${ts.length>0&&a`<${zs}>${ts.map(se=>a`<code key=${se}>${se}</code>`)}${ts.length>1&&a`<span>with the numbers that the first command prints as SEQ</span>`}<//>`}
  <//>
  ${an&&a`<${zf} plan=${o} filter=${{...t,through:o.through}} onClose=${()=>U(!1)} onDone=${()=>{n(),s()}} />`}`}function Lf(e,t){let n=t.count+t.skipped+t.refused,
s=(t.sample[0]??t.left[0])?.id;return n===1&&s?{id:s}:e}function zf({plan:e,filter:t,onClose:n,onDone:s}){let[o,r]=I("superseded by a newer job"),i=async()=>{let{
discarded:c}=await Pe("/api/letters/discard",{filter:t,superseded:!0,reason:o});Ke(`${F(c,"letter")} let go`),s()};return a`<${Ge} title="Let go what newer jobs have superseded?" act="Let them go" danger ready=${o.
trim()} onAct=${i} onClose=${n}>
    <p><b>${F(e.newer,"letter")}</b> will be discarded for good, and the other letters stay. What the newer jobs did stays as it is.</p>
    <div><${Iu} list=${e.reasons.filter(c=>c.newer)} all=${e.newer} left=${e.left} /></div>
    <${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.
value)} data-first /><//>
  <//>`}function Eu(e){let t=e.sample[0]?.before,n=Zs(t).map(([o])=>o).filter(o=>!["id","v","source.ids"].includes(o)),s=e.causes.flatMap(o=>[...o.remedies.flat().
map(r=>r.field),ja[o.class]?.field]).filter(Boolean);return[...new Set([...n,...t?.source?Pf:[],...s])]}var Nf=(e,t)=>`${Object.entries(t).map(([s,o])=>`${da(s)}\
 set to ${So.includes(s)?Zn(o==="true"):o}`).join(", ")||"repaired elsewhere"}: ${e?.message??""}`.slice(0,300);function Wf({plan:e,field:t,value:n}){return e.sample.
length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${Zn(Ou(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?Zn(Ou(s.after,
t)):So.includes(t)?Zn(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${Zs(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${da(o)} ${Zn(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function qf({plan:e,field:t,rate:n}){if(!e.
count&&!e.skipped&&!e.refused)return a`<${de} says="No dead letter is left: it was replayed or discarded." />`;let s=Math.max(e.seconds,n>0?e.count/n:0);return a`<p><b>${F(
e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${s>10?`; this takes at least ${pn(s)}`:""}. Uploads continue where they stopped${t?
", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${de} level="warn" says=${`${F(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${qt} text=${e.says} />`} />`}`}
function Hf({plan:e}){return e.skipped>0&&a`<${de} level="warn" says=${`${F(e.skipped,"letter")} skipped`}><${Iu} list=${e.reasons} all=${e.skipped} left=${e.left} /><//>`}
function Iu({list:e,all:t,left:n}){let s=e.slice(0,4),o=t-s.reduce((r,i)=>r+i.count,0);return a`${s.map(r=>a`<div class="small break"><b>${j(r.count)}</b>: <${qt} text=${r.
why} />${r.count===1&&n.some(i=>i.why===r.why)&&a` (${n.find(i=>i.why===r.why).id??"no id"})`}</div>`)}
    ${o>0&&a`<div class="small">and ${F(o,"letter")} for other reasons</div>`}`}var Pu=e=>JSON.stringify(e,null,2),Xs=e=>F(e,"letter");function Qa({l:e,filter:t}){let n=Vi(t);return a`<div class="hint break">${e.needless?a`Nothing is left to do: ${e.
why}, <${ne} at=${e.at} />`:a`A replay would undo what ${e.job?"a later job":"somebody"} did: it ${e.why}`}. ${e.job&&a`<a href=${te("jobs",e.job)}>Open that job</a>`}
    <${zs}>${!e.needless&&a`<code>usher dead replay ${n} --force</code>`}<code>usher dead discard ${n}</code><//></div>`}function Fu({letter:e,onClose:t,onEdit:n,
onDiscard:s}){let o=e.id?{id:e.id}:{seqs:[e.seq]};return a`<${Ge} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${de} level=${e.later?.needless?"":"bad"} says=${a`<span title=${e.class}>${Wt(e.class)}</span>: <${xt} text=${e.message} />`} hint=${e.later?"":e.hint} of=${e.
later?"":e.class} letters=${e.later?void 0:o} remedies=${e.remedies} />
    ${e.later&&a`<${de} level=${e.later.needless?"good":"warn"} says=${e.later.needless?"It can be discarded":"It is superseded"}><${Qa} l=${e.later} filter=${o} /><//>`}
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${te("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${qn} kind=${e.kind} target=${e.target} name=${e.targetName} /></dd>
      <dt>Failed</dt><dd>${Nt(e.at)}</dd>
      <dt>Attempts</dt><dd>${F(e.attempts,"attempt")}${e.crashes?`, ${F(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(r=>da(r.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${Zs(e.job).filter(([r])=>!["id","v"].includes(r)).slice(0,12).map(([r,i])=>a`<dt>${da(r)}</dt><dd class="break">${Zn(i)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${Pu(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${He("operator")&&(e.later?a`<div><button type="button" class="danger" onClick=${s}>Discard this letter …</button></div>`:e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`)}
  <//>`}function To({filter:e,count:t,why:n="",onClose:s,onDone:o}){let[r,i]=I(n),c=async()=>{let{discarded:w}=await Pe("/api/letters/discard",{filter:e,reason:r});
Ke(`${Xs(w)} discarded`),o()};return a`<${Ge} title=${`Discard ${Xs(t)} for good?`} act=${`Discard ${Xs(t)}`} danger ready=${r.trim()} onAct=${c} onClose=${s}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${w=>i(w.target.value)} data-first /><//>
  <//>`}function Lu({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=I(t?Pu(t.job):""),[i,c]=I(""),[w,f]=I(""),[y,A]=I(""),[b,T]=I(null),N=()=>{if(!t)return{set:{
[i.trim()]:w}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},Z=async()=>{let Se={...N(),
reason:y};if(!b)throw T(await Pe("/api/letters/edit",{filter:e,edit:{...Se,dryRun:!0}})),new Error("");let ae=await Pe("/api/letters/edit",{filter:e,edit:Se});if(ae.
edited===0)throw new Error(ae.says||"The edit changes nothing.");Ke(`${Xs(ae.edited)} edited${ae.refused?`, ${j(ae.refused)} could not be edited`:""}`),s(ae.now??
[])},ue=Se=>ae=>{Se(ae.target.value),T(null)};return a`<${Ge} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${b?`Edit ${Xs(b.edited)}`:"Preview"} ready=${b?b.edited>0&&y.trim():t||i.trim()} onAct=${Z} onClose=${n}>
    ${t?a`<${Ie} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${ue(
r)} data-first></textarea><//>`:a`<${Ie} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${i} onInput=${ue(
c)} data-first /><//>
        <${Ie} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${w} onInput=${ue(f)} /><//>`}
    ${b&&a`<${de} level=${b.refused?"warn":"good"} says=${`${Xs(b.edited)} to be edited${b.same?`, ${j(b.same)} unchanged`:""}${b.refused?`, ${j(b.refused)} ref\
used`:""}`} hint=${b.says} />
      ${b.example&&a`<div class="small soft">Changed fields: ${b.example.fields.map(Se=>a`<span class="tag mono">${Se}</span> `)}</div>`}`}
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${y} onInput=${Se=>A(Se.target.value)} /><//>
  <//>`}var Ea=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),Uf={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function Bf(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${te("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function zu(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",i=e.files>1?`, ${F(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${i}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${Ea(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${Uf[e.delimiter]??a`<code>${Ea(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${F(e.skip,"line")}`:a`lines that begin with <code>${Ea(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${Ea(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${j(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${qt} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${Ea(e.typeColumn)}</dd>`}
    ${e.withheld?.map(c=>a`<dt>Left out</dt><dd>${F(c.count,"id")}: ${Bf(c.reason)}${c.at&&a`<div class="note">as of its generation ${j(c.generation)}, <${ne} at=${c.
at} /></div>`}</dd>`)}
`}var Nu=({u:e})=>a`<${ee} title="How the export was read"><dl class="facts">${zu(e)}</dl><//>`,Jf={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 has\
hes"};function Wu({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${ee} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${te("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${ne} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      ${e.began&&a`<dt>New memory</dt><dd>${e.began}</dd>`}
      <dt>Rows</dt><dd>${j(e.rows)}</dd>
      ${zu(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${Jf[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(Ea).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(Ea).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?Ea(s.replace("."," by ")):la(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var dl=e=>["done","failed","cancelled"].includes(e);function qu(e){let t=$e("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=I(""),o=t.data?.record,r=t.data?.
letter,i=r&&!r.later&&He("operator")&&(()=>s("fix")),c=r?.later&&He("operator")&&(()=>s("discard")),w=o&&a`<${Va} is=${o.state} /> <${qn} kind=${o.kind} target=${t.
data.target} name=${o.targetName} />${o.run>1?` · run ${o.run}`:""}`,f=o&&a`
    ${i&&a`<button class="primary" onClick=${i}>Fix and replay …</button>`}
    ${c&&a`<button class="danger" onClick=${c}>Discard its letter …</button>`}
    ${r&&a`<a class="button" href=${"#/letters"+Ce({id:e})}>Dead letter</a>`}
    ${!dl(o.state)&&He("operator")&&a`<button class="danger" onClick=${()=>s("cancel")}>Cancel job</button>`}`,y=a`<${ct} result=${t}>${A=>a`<${Gf} page=${A} onFix=${i} />`}<//>
    ${n==="cancel"&&a`<${cl} ids=${[e]} onClose=${()=>s("")} onDone=${t.reload} />`}
    ${n==="fix"&&a`<${Xa} cause=${{...o.error,count:1}} filter=${{id:e}} onClose=${()=>s("")} onDone=${t.reload} />`}
    ${n==="discard"&&a`<${To} filter=${{id:e}} count=${1} why=${r?.later?.why} onClose=${()=>s("")} onDone=${t.reload} />`}`;return{sub:w,acts:f,body:y}}function Hu({
id:e}){let{sub:t,acts:n,body:s}=qu(e);return a`<${Je} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}function Uu({id:e,onClose:t}){
let{sub:n,acts:s,body:o}=qu(e),r=Mt(null);return xe(()=>{r.current?.focus({preventScroll:!0});let i=c=>{c.key==="Escape"&&!document.querySelector("dialog[open]")&&
t()};return window.addEventListener("keydown",i),()=>{window.removeEventListener("keydown",i),document.querySelector(`a.id[href$="job=${CSS.escape(encodeURIComponent(
e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${te("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function cl({ids:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e.length===1?"Cancel this job?":`Cancel ${F(e.length,"job")}\
?`,i=async()=>{if(e.length===1)await Pe(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Ke(`Job ${e[0]} is cancelled`);else{let{cancelled:c,left:w}=await Pe(
"/api/jobs/cancel",{ids:e,reason:s});Ke(`${F(c,"job")} cancelled${w.length?`; ${j(w.length)} not: ${w[0].why}`:""}`,w.length>0)}n()};return a`<${Ge} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${F(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${i}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${c=>o(c.target.value)} data-first /><//><//>`}
function Gf({page:e,onFix:t}){let n=e.record,s=n.job??{},o=ca({...n,accepted:n.tally.accepted,dryRun:s.dryRun});return a`
    ${n.consequence&&a`<${de} level=${n.consequence.large?"bad":""} says=${a`<span class="named">${Vn(e.target,n.targetName)}: ${o}</span>`} hint=${n.consequence.
large?Vf(n.consequence,s):""} />`}
    ${n.error&&a`<${Kf} r=${n} letter=${e.letter} onFix=${t} />`}
    ${n.why&&!dl(n.state)&&a`<${de} level=${n.state==="running"?"":"warn"} says=${n.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[n.state]}>${n.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${te("jobs",n.waitsFor.job)}>${n.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||n.parts.total>1?a`<${Xf} r=${n} parts=${e.parts??[]} />`:null}
        ${(n.tally.read>0||Yf(n))&&a`<${ee} title="Where every row went" side=${s.dryRun&&a`<span class="tag">dry run</span>`}><${Au} tally=${n.tally} dryRun=${s.
dryRun} /><//>`}
        ${n.warnings.length>0&&a`<${ee} title="Warnings" flush><${ot} name="warnings" rows=${n.warnings} columns=${[["What",r=>r.description],["Times",r=>r.count,
!0]]}>${r=>a`<tr><td class="break whole" title=${r.code}><${xt} text=${r.description} /></td><td class="num" data-name="Times">${j(r.count)}</td></tr>`}<//><//>`}
        ${n.samples.length>0&&a`<${Zf} all=${n.samples} />`}
        <${ee}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(s,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${Qf} r=${n} target=${e.target} />${n.understood&&a`<${Nu} u=${n.understood} />`}<${Mu} r=${n} history=${e.history} /></div>
    </div>`}function Kf({r:e,letter:t,onFix:n}){let s=a`<span title=${e.error.class}>${Wt(e.error.class)}</span>: <${xt} text=${e.error.message} />`;return t?.later?
a`<${de} level=${t.later.needless?"":"bad"} says=${s}><${Qa} l=${t.later} filter=${{id:e.id}} /><//>`:t?a`<${de} level="bad" says=${s} hint=${e.error.hint} of=${e.
error.class} onFix=${n} letters=${{id:e.id}} remedies=${t.remedies} />`:a`<${de} says=${s} hint="Its dead letter was discarded, so that it cannot be replayed: publish the job again, under a new id, if it is still needed." />`}
function Vf({added:e,removed:t,now:n},s){let o=Math.floor(1e3*t/(n-e+t))/10,r=s.maxRemovePercent??20;return`It ${s.dryRun?"would remove":"has removed"} ${o} % o\
f the members${o>r?`. Without force, it may remove ${r} %`:`, more than half of the ${r} % that it may remove`}. If that is not right, usher ledger rollback bri\
ngs back the generation before.`}var Yf=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(e.kind)&&dl(
e.state)&&e.state==="done";function Zf({all:e}){let[t,n]=I(!1),s=6;return a`<${ee} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${ot} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${j(
o.row)}</td><td title=${o.reason}>${la(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${j(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function Xf({
r:e,parts:t}){let n=new Map(t.map(i=>[i.number,i])),{total:s,done:o}=e.parts,r=t.filter(i=>i.crashes>0).sort((i,c)=>c.crashes-i.crashes);return a`<${ee} title="Parts" side=${a`<span class="soft">${j(
o)} of ${j(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(i,c)=>{let w=n.get(c)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${c} class=${w?.
state??""} title=${`part ${c+1}: ${w?w.state+(w.read===null?"":`, ${j(w.read)} rows`):"waiting"}`}></i>`})}</div>
    ${r.length>0&&a`<p class="small soft" style=${{marginTop:"12px"}}>Workers crashed while they ran ${r.slice(0,5).map((i,c)=>a`${c>0&&", "}part ${j(i.number+1)} <b class="bad-ink">${i.
crashes===1?"once":`${j(i.crashes)} times`}</b>`)}${r.length>5&&` and ${F(r.length-5,"other part")}`}. Each goes on where it stopped.</p>`}<//>`}function Qf({r:e,
target:t}){let n=e.kind.startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${ee} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${te("campaigns",n)}>${Vn(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${te("audiences",t)}>${Vn(t,e.targetName)}</a>`:
Vn(t)}</dd>
    <dt>Submitted</dt><dd><${ne} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${ne} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${ne} at=${e.finished} />${e.started&&a` <span class="faint">after ${pn((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${j(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${F(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${F(e.batches,"batch","batches")}, ${Ms(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${j(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${We.new}>New</dt><dd>${e.new?j(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${j(e.numberOfIds.before)} before, ${j(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+Ce({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var pl=[["","All kinds"],...Object.entries(ko).map(([e,[t]])=>[e,t])],em=["queued","running","retrying","done","failed","cancelled"],tm=50,nm=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],Do=e=>["done","failed","cancelled"].includes(e);
function am({span:e,from:t,to:n}){return e==="days"?{since:t&&Ni(t),until:n&&Ni(n,1)}:{since:e&&new Date(Math.floor(dt()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function Ju({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...am(e)},n=$e("/api/jobs"+Ce({...t,after:e.after,limit:tm}),["jobs"]),[s,o]=I(
[]),[r,i]=I(!1),c=n.data??n.stale,w=c?Object.values(c.states).reduce((T,N)=>T+N,0):void 0,f=T=>{o([]),Qe({after:"",...T})},y=c?.jobs.filter(T=>!Do(T.state)).map(
T=>T.id)??[],A=s.filter(T=>y.includes(T)),b={...e,job:""};return a`<${Je} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${On} label="Search id, target, error …" value=${e.text} onText=${T=>f({text:T})} />
      <${Yn} label="Kind" value=${e.kind} onPick=${T=>f({kind:T})} options=${pl} />
      <${Yn} label="Submitted" value=${e.span} onPick=${T=>f({span:T,from:"",to:""})} options=${nm} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${T=>f({from:T.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${T=>f({to:T.target.value})} />`}
    </div>
    <${Ta} label="State" value=${e.state} onPick=${T=>f({state:T})}
      options=${[["","All",w],...em.map(T=>[T,T[0].toUpperCase()+T.slice(1),c&&(c.states[T]??0),We[T]])].map(([T,N,Z,ue])=>[T,N,Z==null?"…":Object.values(t).some(
Boolean)?Ls(Z,c.looking):j(Z),ue])} />
    ${e.target&&a`<div><button class="small" onClick=${()=>f({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${fn} says=${n.error} retry=${n.reload} />`}
    <section class="card">${c?a`<${sm} list=${c} filtered=${Object.values(t).some(Boolean)} params=${b} chosen=${A} choose=${o} />
      <${Fs} l=${c.looking} />
      ${(c.jobs.length>0||e.after)&&a`<div class="foot"><span>${j(c.jobs.length)} of ${F(c.total,"job")}${c.looking&&c.total<=c.jobs.length?" so far":""}${c.more&&
!c.next?"; choose a time to see older ones":""}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+Ce({...b,after:""})}>Newest</a>`}
        ${c.next&&a`<a class="button small" href=${"#/jobs"+Ce({...b,after:c.next})}>Older</a>`}</span></div>`}`:!n.error&&a`<${kn} />`}</section>
    ${A.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${F(A.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>i(!0)}>Cancel ${F(A.length,"job")} …</button></div>`}
    ${r&&a`<${cl} ids=${A} onClose=${()=>i(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${Uu} id=${e.job} key=${e.job} onClose=${()=>Qe({job:""})} />`}
  <//>`}function sm({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?e.looking?a`<${Te} title="No job found so far">Older jobs are being read.<//>`:
t||n.after?a`<${Te} title="No job matches">Remove a filter to see other jobs.<//>`:a`<${Te} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${Sa}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${hl} jobs=${e.jobs} href=${r=>"#/jobs"+Ce({...n,job:r})} chosen=${He("operator")&&e.jobs.some(r=>!Do(r.state))?s:null} choose=${o} />`}var ul="Sort the rows\
 on this page",om=[["Job",e=>e.id,!1,ul],["State",e=>e.state,!1,ul],["Rows",e=>e.read,!0,We.read],["Accepted",e=>e.accepted,!0,We.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,ul]];function hl({jobs:e,href:t=o=>te("jobs",o),chosen:n,choose:s}){let o=e.filter(i=>!Do(i.state)).map(i=>i.id),r=i=>s(n.includes(i)?n.filter(
c=>c!==i):[...n,i]);return a`<${ot} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${om}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${i=>a`<tr key=${i.id} data-href=${t(i.id)}>
      ${n&&a`<td class="tick">${!Do(i.state)&&a`<input type="checkbox" aria-label=${`Select job ${i.id}`} checked=${n.includes(i.id)} onChange=${()=>r(i.id)} />`}</td>`}
      <td><a class="id" href=${t(i.id)}>${i.id}</a><div class="note"><${qn} kind=${i.kind} target=${i.target} name=${i.targetName} />${i.run>1?` · run ${i.run}`:
""}</div>
        ${i.state==="running"?a`<${lm} row=${i} />`:a`<${rm} row=${i} />`}</td>
      <td><${Va} is=${i.state} /></td>
      <td class="num" data-name="Rows">${i.read?j(i.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${i.accepted?j(i.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${ne} at=${i.submitted} />${Bu(i)&&a`<div class="note nowrap">took ${Bu(i)}</div>`}</div></td>
    </tr>`}<//>`}var Bu=e=>e.started&&e.finished&&pn((new Date(e.finished)-new Date(e.started))/1e3);function rm({row:e}){if(e.error)return a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${Wt(e.error.class)}</span>: <${xt} text=${e.error.message} /></div>`;if(e.why)return a`<div class="note"><${qt} text=${e.why} /></div>`;let t=Do(e.
state)&&(ca(e)||e.rejected);return!t&&!e.warnings?null:a`<div class="note">${t&&a`<${qs} r=${e} />`}${t&&e.warnings>0&&"; "}${e.warnings>0&&F(e.warnings,"warnin\
g")}</div>`}function im(e){let t=Mt({read:0,at:Date.parse(e.started),rate:0});return nn(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/1e3;return e.read>n&&o>=
1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function lm({row:e}){let t=Ps(),n=im(e);if(e.state!=="running")return a`<div class="note"><${qt} text=${e.
why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,i=r>0&&e.started?(t-Date.parse(e.started))/1e3*(1-r)/r:null,c=[r!==null&&
`${Math.floor(100*r)} %, ${j(o)} of ${j(s)} parts`,e.read>0&&`${j(e.read)} rows`,n>=1&&`${j(n)} rows/s`,i!==null&&`about ${pn(Math.max(i,1))} left`].filter(Boolean);
return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.why?a`<${qt} text=${e.why} />`:c.join(" · ")||"\
started"}</div>`}var dm=10,Gu=(e,t)=>t?100*e/t:0,Rr=(e,t)=>`${Gu(e,t).toFixed(1)} %`,cm=e=>(e.of??"").split(",").filter(Boolean);function Ku({params:e}){let t=$e("/api/audiences",
["audiences"]),n=cm(e);return a`<${Je} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${ct} result=${t}>${({audiences:s})=>a`<${um} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${ee}><${Te} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${pm} of=${n} key=${n.join()} />`}
  <//>`}function um({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${ee}><${Te} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>Qe({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=dm} onClick=${()=>s(o.target)}>${Ot(o)}</button>`)}</div>`}function pm({
of:e}){let t=$e("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return t.refused?a`<${de} level="warn" says="These audiences cannot be compared" hint=${t.
error} />`:a`<${ct} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${de} level="warn" says=${`${F(s.uncertain,"id")} of ${Ot(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${hm} o=${n} />
    <div class="grid two-one"><div class="stack"><${fm} o=${n} /></div><div class="stack"><${mm} o=${n} /></div></div>`}<//>`}function hm({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${Tt} name="Together" value=${j(e.union)} note="members of at least one" meaning="Ids that are members of at least one of these audiences, each counted once, by usher's ledgers." />
    <${Tt} name=${e.audiences.length>2?"In all":"In both"} value=${j(e.all)} note=${`${Rr(e.all,e.union)} of all`} meaning="Ids that are members of each of these audiences." />
    <${Tt} name=${`Only in ${Ot(t)}`} value=${j(t.only)} note=${`${Rr(t.only,t.members)} of its members`} meaning="Ids that are members of no other of these audiences." />
  </div>`}function fm({o:e}){return a`<${ee} title="In both" flush side=${a`<span class="faint small">and their share of its members</span>`}>
    <div class="scroll"><table class="matrix cards" aria-label="Members in common"><thead><tr><th>Audience</th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${Ot(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${te("audiences",t.target)}>${Ot(t)}</a><div class="note">generation ${j(
t.generation)}, <${ne} at=${t.at} />${t.lapsed>0&&`, ${j(t.lapsed)} lapsed`}</div></th>
      <td class="num" data-name="Members"><b>${j(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} data-name=${`and ${Ot(e.audiences[o])}`} style=${{"--sha\
re":Gu(s,t.members).toFixed(1)+"%"}} title=${`${j(s)} of the ${j(t.members)} members of ${Ot(t)} are in ${Ot(e.audiences[o])}`}>${j(s)}<div class="note">${Rr(s,
t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function mm({o:e}){return a`<${ee} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${j(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${Ot(t)} <span class="soft">${j(t.members)}, ${Rr(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${j(t.only)} only in ${Ot(t)}, ${j(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${j(t.only)} only here, ${j(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var Vu=(...e)=>"#/audiences/overlap"+Ce({of:e.join(",")});function Yu({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=$e(t,["audiences","letters"]),[s,o]=I(""),r=n.data,i=r&&a`${r.ledger&&a`<a class="button" href=${Vu(
e)}>Overlaps</a>`}${He("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${Je} title=${r?Ot(r):Tr(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${rl} f=${r.feed} />`} acts=${i}>
    <${ct} result=${n}>${c=>a`
      ${c.problems.map(w=>a`<${de} key=${w.says} level=${w.level} says=${a`<${xt} text=${w.says} />`} where=${w.where?.startsWith("/letters")?"#"+w.where:void 0} />`)}
      <${Fs} l=${c.looking} />
      <${$m} a=${c} />
      <div class="grid two-one">
        <div class="stack"><${gm} points=${c.sizes} /><${vm} points=${c.trend} /><${wm} jobs=${c.jobs} looking=${c.looking} target=${e} /></div>
        <div class="stack"><${ym} f=${c.feed} last=${c.jobs.find(w=>w.id===c.feed?.job)} onDone=${n.reload} /><${xm} l=${c.ledger} /><${km} w=${c.withheld} /><${Wu} m=${c.
memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${_m} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${jm} path=${t} onClose=${()=>o("")} />`}
  <//>`}function $m({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${Tt} name="Ids" meaning=${We.ids} value=${e.size===null?"–":j(e.size)} note=${e.size===null?e.looking?fl:"no job or ledger has said it":e.sizeOf==="ledg\
er"?"in usher's ledger":a`on the platform, <${ne} at=${e.sizeAt} />`} />
    <${Tt} name="Last change" meaning=${We.change} value=${a`<${sl} c=${e.last} />`} note=${e.last?a`<${ne} at=${e.last.at} />`:e.looking?fl:"no job on record h\
as changed it"} />
    <${Tt} name="Junk and invalid" meaning=${We.quality} value=${t?`${ml(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${F(t.read,"row")} in the last export`:
e.looking?fl:e.jobs.length<200?"no export on record was read":"its newest 200 jobs have read no export"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${Tt} name="Open jobs" meaning=${We.open} value=${j(e.open)} note=${e.letters?a`<span class="bad-ink">${F(e.letters,"dead letter")}</span>`:"no dead letter\
s"} />
  </div>`}var fl="older jobs are being read",ml=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",Zu=e=>Date.parse(e)/1e3;function gm({points:e}){let t=nn(()=>[e.map(
n=>Zu(n.at)),e.map(n=>n.ledger),e.map(n=>n.platform)],[e]);return a`<${ee} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${Te} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${Ra} data=${t} values=${Kn} unit="ids" label=${`Ids over t\
ime, now ${j(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
var bm=e=>`${ml(e.junk,e.read)} % junk and ${ml(e.invalid,e.read)} % invalid rows`;function vm({points:e}){let t=nn(()=>[e.map(n=>Zu(n.at)),e.map(n=>100*n.junk/
n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${ee} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${Te} title=${e.length?`${bm(e[0])} of the only export`:"No export was read yet"}>${e.length?"A second export makes it a trend.":"The shares\
 are drawn once two exports were read."}<//>`:a`<${Ra} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function wm({jobs:e,looking:t,target:n}){return a`<${ee} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+Ce({target:n})}>All jobs</a>`}>${e.length===
0?a`<${Te} title=${t?"No job found so far":"No jobs on record"} />`:a`<${hl} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${e.length>=
200?"200 or more":Ls(e.length,t)}</div>`}`}<//>`}var Xu={look:["Look for a new export now?","Look now","A worker looks at once, and takes an export that is comp\
lete."],approve:["Approve the held export?","Approve export","It is taken now, although it differs from what is expected."],reject:["Reject the held export?","R\
eject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","Pause feed","No export is taken until somebody resumes it."],resume:[
"Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function Ar({feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,i]=I(""),
[c]=I(t??[]),[w,f,y]=Xu[n],A=async()=>{await Pe(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,versions:c}),Ke(`${f}: feed ${e}`),o()};return a`<${Ge} title=${w} act=${f} danger=${n===
"pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${A} onClose=${s}>
    <p>${y}</p><${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${b=>i(b.
target.value)} data-first /><//>
  <//>`}function ym({f:e,last:t,onDone:n}){let[s,o]=I("");if(!e)return a`<${ee} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let r=e.held?[e.approvable?"approve":"look","reject"]:e.paused?["resume"]:["look","pause"];return a`<${ee} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${ol(e)}</dd>
      <dt>Looked</dt><dd><${ne} at=${e.looked} />${e.blind&&a` <span class="badge bad">blind</span>`}</dd>
      <dt>Expected</dt><dd>${e.late?a`by ${zi(e.late)} <span class="badge bad">late</span>`:e.next?`by ${zi(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${ne} at=${e.last} />${e.rows>0&&`, ${F(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${Co(e.jobState)&&a`<dt>Not uploaded</dt><dd><a href=${te("jobs",e.job)}>Its job</a> ${e.error?a`has failed. ${Wt(e.error.class)}: <${xt} text=${e.error.message} /><${Hn} text=${e.
error.hint} of=${e.error.class} letters=${{id:e.job}} remedies=${e.remedies} />`:"was cancelled"}</dd>`}
      ${t&&ca(t)&&a`<dt>Changed</dt><dd><a href=${te("jobs",t.id)}><${qs} r=${t} /></a></dd>`}
      ${e.why&&a`<dt>Now</dt><dd><${qt} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${He("operator")&&a`<div class="acts-line">${r.map(i=>a`<button class="small ${i==="pause"||i==="reject"?"danger":""}" onClick=${()=>o(i)}>${Xu[i][1]} …</button>`)}</div>`}
    ${s&&a`<${Ar} feed=${e.name} versions=${s==="approve"?e.approvable:e.versions} way=${s} onClose=${()=>o("")} onDone=${n} />`}<//>`}function xm({l:e}){return a`<${ee} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${ne} at=${e.at} /></dd><dt>Ids</dt><dd>${j(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${te("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${te("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function km({w:e}){return e?a`<${ee} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${te("audiences",t.target)}>${Ot(t)}</a>: ${F(t.count,"id")}<div class="note">as of its generation ${j(t.
generation)}, <${ne} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${F(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function _m({path:e,source:t,onClose:n}){let[s,o]=I(t.includes("?…")?"":t),r=async()=>{let{id:i}=await Pe(e+"/compare",{url:s.trim()});Ke("C\
omparing: nothing is sent"),location.hash=te("jobs",i)};return a`<${Ge} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Ie} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${i=>o(
i.target.value)} data-first /><//>
  <//>`}function jm({path:e,onClose:t}){let[n,s]=I(null),o=async()=>{throw s(await Pe(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected;return a`<${Ge} title="Check against the platform" act=${n?
"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${de} level=${r?"bad":"good"} says=${r?`${j(r)} of ${j(n.asked)} answers differ`:`All ${j(n.asked)} answers agree`}
      hint=${r?`${j(n.missing)} ids are missing on the platform, ${j(n.unexpected)} are there although they should not be. The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`:`The ledger holds ${F(n.count,"id")}.`} />`}
  <//>`}function Cm({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${te("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${j(e.jobs.length-4)} more</div>`}</div>`}
function Sm({w:e}){return e.gone?e.stopped?a`<span class="badge">stopped</span>`:a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:
e.down?a`<span class="badge bad">${e.refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var Tm=[{key:"name",title:"Worker",
card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${Sm} w=${e} />${e.
gone&&a`<div class="note">last heard <${ne} at=${e.heard} /></div>`}`},{key:"doing",title:"Does",cell:e=>a`<${Cm} w=${e} />`},{key:"slots",title:"Slots by lane",
cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${j(n)}</span>`)}</div>`},
{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.
memory||null,cell:e=>e.memory?Ms(e.memory):a`<span class="faint none">–</span>`},{key:"since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${ne} at=${e.
since} />`}];function Qu(){let e=$e("/api/workers");xe(()=>{let r=setInterval(()=>document.hidden||e.reload(),1e4);return()=>clearInterval(r)},[]);let t=e.data?.
workers??[],n=[...new Set(t.filter(r=>!r.gone).map(r=>r.version))],s=t.filter(r=>r.gone&&r.stopped).length,o=t.filter(r=>r.gone&&!r.stopped).length;return a`<${ee} title="Workers" flush><${ct} result=${e}>${()=>a`
    ${n.length>1&&a`<${de} level="warn" says=${`${j(n.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
    ${t.length===0?a`<${Te} title="No worker answers">Jobs wait until one is started.<${Sa}>usher run<//><//>`:a`<${Ys} label="Workers" columns=${Tm} rows=${t} params=${{}} id=${r=>r.
name} /><div class="foot">${F(t.length-o-s,"worker")}${s>0?`, ${j(s)} stopped`:""}${o>0?`, ${j(o)} gone`:""}</div>`}`}<//><//>`}var Dm=15*6e4,ep=new Set;function Qs({running:e=!0,ended:t=!0}){let n=$e("/api/replays",["replays"]),[,s]=I(0),o=dt();return(n.data?.replays??[]).filter(i=>i.finished?
t&&!ep.has(i.id)&&o-new Date(i.finished)<Dm:e).map(i=>a`<${Am} key=${i.id} r=${i} onHide=${()=>{ep.add(i.id),s(c=>c+1)}} />`)}function Rm(e){return e.error?"Rep\
lay failed":e.stopped?"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function Am({
r:e,onHide:t}){let n=e.report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${Rm(e)}</b>
      <span class="soft">by ${e.by}, <${ne} at=${e.started} />${e.rate?`, ${un(e.rate)} a second`:""}</span>
      ${!e.finished&&He("operator")&&a`<button class="small danger" onClick=${()=>Pe(`/api/replays/${e.id}/stop`).catch(r=>Ke(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${F(n.changed,"job")} changed, `}${j(n.replayed)} of ${j(n.planned)} replayed${n.skipped?`, ${j(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${Mm} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${de} level="bad" says=${e.error} />`}
  </div></section>`}function Mm({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${j(e.done)} done</span>${t>
0&&a`, <span class="soft">${j(t)} not ended yet</span>`}${e.cancelled>0&&`, ${j(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+Ce({replay:e.name})}>${j(e.failedAgain)} failed again</a>`}</div>`}var $l=100;function Mr({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${ee} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,$l).map(([r,i])=>a`<b class="small" title=${r}>${r}</b>${i.
map(c=>a`<span class="cell ${c.look}" title=${c.title}>${c.text}</span>`)}`)}
      <i></i>${t.map((r,i)=>a`<span class="small faint">${i%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,i])=>a`<span class="cell ${r}"></span> ${i} `)}${n.length>$l&&`· ${j(n.length-$l)} more lines are not shown`}</div><//>`}
function Or(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var tp=e=>new Date(dt()-e*864e5).toISOString().slice(0,10);function ap({params:e}){let t=$e("/api/rules"),n=[...new Set((t.data?.rules??[]).map(b=>b.file))],s=e.
file??n[0]??"",[o,r]=I(e.from??tp(31)),[i,c]=I(e.to??tp(1)),[w,f]=I({}),y=async b=>{f({busy:!0});try{f({outcome:await ra("/api/rules/backtest"+Ce(b))})}catch(T){
f({error:T.message})}};xe(()=>{e.file&&e.from&&e.to&&y(e)},[e.file,e.from,e.to]);let A=b=>{b.preventDefault();let T={file:s,from:o,to:i};e.file===s&&e.from===o&&
e.to===i?y(T):Qe(T)};return a`<${Je} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${A}>
      <${Yn} label="Rule file" value=${s} onPick=${b=>Qe({file:b,from:"",to:""})} options=${n.map(b=>[b,b])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${b=>r(b.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${i} onInput=${b=>c(b.target.value)} />
      <button class="primary" disabled=${w.busy||!s}>${w.busy?"Reading reports …":"Run"}</button>
    </form>
    ${w.error&&a`<${fn} says=${w.error} />`}
    ${w.busy&&a`<div class="card"><${kn} /></div>`}
    ${w.outcome&&a`<${Om} o=${w.outcome} />`}
    ${!w.outcome&&!w.busy&&!w.error&&a`<div class="card"><${Te} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`}function Om({o:e}){let t=e.summary;return a`${t.spend===0&&a`<${de} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${Tt} name="Saved" meaning=${We.saved} value=${un(t.saved)} note=${`${(t.atMost||t.until)&&t.saved>0?"at most, ":""}of ${un(t.spend)} spent`} />
      <${Tt} name="Pauses" meaning=${We.pauses} value=${j(t.pauses)} note=${F(t.resumes,"resume")} />
      <${Tt} name="Held" meaning=${We.held} value=${j(t.held)} note=${t.unknown>0?`and ${j(t.unknown)} unknown`:"by limits and guards"} />
      <${Tt} name="Missed clicks" meaning=${We.missed} value=${Kn(t.missed.clicks)} note=${`${Kn(t.missed.impressions)} impressions`} />
    </div>
    ${t.byNumber&&a`<${Im} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${Em} days=${t.byDay} key=${t.from+t.to} />`}
    <${np} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(n=>!n.bidding)} />
    <${np} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(n=>n.bidding)} />
    <${ee} title="By rule" flush><${ot} name="rules" rows=${t.rules} columns=${[["Rule",n=>n.rule],["Saved",n=>n.saved,!0],["Pauses",n=>n.pauses,!0],["Resumes",
n=>n.resumes,!0],...t.byNumber?[["Decreases",n=>n.decreases,!0],["Increases",n=>n.increases,!0]]:[],["Held",n=>n.held,!0]]}>${n=>a`<tr><td class="strong break">${n.
rule}</td><td class="num" data-name="Saved">${un(n.saved)}</td><td class="num" data-name="Pauses">${j(n.pauses)}</td><td class="num" data-name="Resumes">${j(n.resumes)}</td>${t.
byNumber&&a`<td class="num" data-name="Decreases">${j(n.decreases)}</td><td class="num" data-name="Increases">${j(n.increases)}</td>`}<td class="num" data-name="Held">${j(
n.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours and active_days were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.until&&a`<div class="foot">Each day has one run, at its end: what until ends was resumed at the end of that day, and not at its beginning, so saved is at most this. Rules with until: ${t.
until.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is at most this for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.
join(", ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${ee} title="What would have changed" flush>${e.decisions.length===0?a`<${Te} title="No rule would have changed anything">${t.unknown>0&&`${F(t.unknown,"de\
cision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${ot} rows=${e.decisions.slice(0,300)} columns=${[["Day",n=>n.date],["Subject",
n=>n.creative||n.campaign],["Action",n=>n.action],["Why",n=>n.rule]]}>${n=>a`<tr><td class="nowrap">${n.date}</td><td class="break"><${Aa} d=${n} /></td>
          <td><${Bs} is=${n.action} /></td><td class="whole break">${n.reason}<div class="note">${n.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${j(e.decisions.length)}</div>`}`}<//>`}function Em({days:e}){let t=nn(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${ee} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${Ra} data=${t} values=${Kn} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Im({all:e}){return a`<${ee} title="Budgets and bids" flush><${ot} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${xn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?Js(t.change):`stays ${Js({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${j(t.decreases)}</td><td class="num" data-name="Increases">${j(t.increases)}</td><td class="num" data-name="Held">${j(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function np({title:e,days:t,decisions:n}){let s=[...Or(n,
r=>r.bidding?`${r.campaign} ${xn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(i=>i.action===r));return a`<${Mr} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,i])=>[r,Pm(t,i)])} />`}function Pm(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var gl=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${Nt(e.until)}</time>`:"released"}`;function bl({s:e}){return e?a`<div class="note warn-ink"><${gl} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${ne} at=${e.at} />)</span></div>`:null}var es="date",sp=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mo\
nday","until Monday"],["released","until somebody hands it back"],[es,"until a date …"]];function vl({until:e,onUntil:t,required:n}){let s=sp.some(([r])=>r===
e),o=e===""||s?e:es;return a`<${Ie} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${sp.map(([r,i])=>a`<option value=${r} selected=${o===r}>leave it alone ${i}</option>`)}
      </select><//>
    ${o===es&&a`<${Ie} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||es)} /><//>`}`}function Er({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,i]=I("");return He("operator")?a`<button class="small" onClick=${()=>i(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${Fm} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>i("")} onDone=${o} />`}`:null}function Fm({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[i,c]=I(""),[w,f]=I("tomorrow"),y=n==="keep",A=s==="it"?e:`the ${s} of ${e}`,b=async()=>{await Pe(`/api/rules/${n}`,y?{code:e,campaign:t,until:w,reason:i}:{code:e,
reason:i}),Ke(y?`Rules leave ${A} alone`:`Rules may change ${A} again`),r()};return a`<${Ge} title=${y?`Keep rules from ${A}?`:`Hand ${A} back to rules?`} act=${y?
"Keep":"Hand back"} ready=${i.trim()&&(!y||w!==es)} onAct=${b} onClose=${o}>
    <p>${y?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${y&&a`<${vl} until=${w} onUntil=${f} required />`}
    <${Ie} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${i} onInput=${T=>c(
T.target.value)} data-first /><//>
  <//>`}var Lm=e=>{let t=e.jobs?.length>0?jo(e):0,n=Is(e);return t?`${F(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${j(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},zm=({run:e})=>["approved","rejected"].includes(e.state)?a`<${de} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${ne} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${de} says=${e.why} />`,
Nm={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function Wm({id:e,job:t}){let[n,s,o]=Nm[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${de} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${te(
"jobs",e)}>Its job</a></div><//>`}function lp({id:e}){let t=$e("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=I(""),o=t.data?.run,r=o?.state===
"held",i=o&&He("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&!t.data.undone.length&&a`<button onClick=${()=>s("undo")}>Undo …</button>`}`;return a`<${Je} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&
a`<${Us} is=${o.state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${Ma(o)}`} acts=${i}>
    <${ct} result=${t}>${c=>c.run===null?a`<${Wm} id=${e} job=${c.job} />`:a`
      ${c.undone.map(w=>a`<${de} key=${w.id} says=${a`Undone by ${w.by||"somebody"}, <${ne} at=${w.at} />`}><div class="acts-line"><a class="button small" href=${te(
"rules","runs",w.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${de} level="warn" says=${Lm(c.run)} hint=${c.run.why} />`}
      ${c.run.warnings?.length>0&&a`<${de} level="warn" says=${Cr(c.run)?"The stop switch held back changes of this run":`${F(c.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${c.run.warnings.slice(0,20).map(w=>a`<li class="break">${w.description}</li>`)}</ul><//>`}
      ${!r&&c.run.why&&a`<${zm} run=${c.run} />`}
      <div class="grid two-one">
        <${qm} run=${c.run} all=${c.decisions} more=${c.more} />
        <${ee} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${c.run.account}</dd>
          <dt>As of</dt><dd>${Nt(c.run.asOf)}</dd>
          <dt>Decided</dt><dd><${ne} at=${c.run.at} /></dd>
          ${c.run.by&&a`<dt>By</dt><dd>${c.run.by}${c.run.reason&&`: ${c.run.reason}`}</dd>`}
          ${c.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${c.run.jobs.slice(0,20).map(w=>a`<div class="break"><a href=${te("jobs",w)}>${w}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${Ro} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var dp=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(eo(t))),op=(e,t)=>Ca(t)&&!t.left&&!dp(e,t);function qm({run:e,
all:t,more:n}){return a`<${ee} title="Decisions" flush>${t.length===0?a`<${Te} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${ot} rows=${Gs(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${Aa} d=${s} /></td>
        <td><${Bs} is=${op(e,s)?s.wants:s.action} />${op(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">${Sr(s)}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${cp} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${j(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function cp({d:e}){return a`<div class="break">${Ks(
e)}</div><${Za} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${F(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:un(Number(t.result))}</div>`)}</details>`}`}var Hm={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},eo=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,rp=({d:e})=>e.parts?a`<b>${e.wants}</b> <${Aa} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${xn[e.bidding.field]} ${Js(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,Um=({s:e})=>a`<p><b>Spend at stake: ${$r(e.gross)}</b> <span class="soft">spent on what would change, from ${e.from} to ${e.to}</span></p>`,Bm=({
d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[eo(n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${Jm} s=${n} />`);function Jm({s:e}){return!e||
e.is==="wanted"?null:a`<div class="note warn-ink">${e.is==="unknown"?"Cannot be decided now, and stays held":"No longer wanted, and is left out"}: ${e.why}</div>`}
function Gm({id:e,left:t,setLeft:n}){let s=$e(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=$e("/api/rules/runs/"+encodeURIComponent(e)),r=c=>(c.parts??[
c]).every(w=>t.includes(eo(w))),i=c=>{let w=(c.parts??[c]).map(eo);n(r(c)?t.filter(f=>!w.includes(f)):[...t,...w])};return a`<${ct} result=${o}>${({run:c,decisions:w})=>{
let f=w.filter(A=>Ca(A)&&!A.left&&dp(c,A)),y=w.filter(A=>A.action==="held"&&!Ca(A));return a`${s.data?.wrong?a`<${de} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${Um} s=${s.data.stake} />`:s.error?a`<${de} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${ne} at=${c.at} /> · ${c.why}</p>
      <div class="scroll block">${f.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${Gs(f).map(A=>a`<tr key=${A.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${A.wants} of ${A.parts?`all ${A.parts.length} together`:eo(
A)}`} checked=${!r(A)} onChange=${()=>i(A)} /></td><td class="break"><${rp} d=${A} /></td>
        <td class="break">${A.rule}<div class="note">${Ks(A)}</div><${Bm} d=${A} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${y.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${Gs(y).map(A=>a`<tr key=${A.key}><td class="break"><${rp} d=${A} /></td><td class="break">${A.rule}<div class="note">${Ks(A)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function Km(e,t){let{decisions:n,more:s}=await ra("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(Ca).map(eo).filter(o=>!t.includes(o))}function Ro({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=I(""),[i,c]=I([]),[w,f,y]=Hm[t],A=async()=>{let{undo:b,left:T,warnings:N,state:Z}=await Pe(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,i.length?{reason:o,
only:await Km(e,i)}:{reason:o});if(N?.length)Ke(`Run ${e} is ${Z==="held"?"approved in part":"approved"}. Not carried out: ${F(N.length,"change")}; ${N[0].description}`);else if(t!==
"undo")Ke(`Run ${e} is ${f.toLowerCase()}${f.endsWith("e")?"d":"ed"}`);else if(b)Ke(`Undoing run ${e}${T.length?`; ${T.length} not changed: ${T[0]}`:""}`);else throw new Error(
`There is nothing to undo${T.length?": "+T[0]:""}`);s()};return a`<${Ge} title=${w} act=${f} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${A} onClose=${n}>
    <p>${y}</p>
    ${t==="approve"&&a`<${Gm} id=${e} left=${i} setLeft=${c} />${i.length>0&&a`<p class="warn-ink">${F(i.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${Ie} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${b=>r(b.target.value)} data-first /><//>
  <//>`}var Vm=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function up({
creative:e,campaign:t}){let n=$e("/api/rules/why/"+encodeURIComponent(e)+Ce({campaign:t}),["audit","rules"]);return a`<${Je} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${n.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${n.data&&a`<${Er} code=${e} campaign=${n.data.campaigns?.[0]} kept=${n.data.kept} onDone=${n.reload} />`}>
    <${ct} result=${n}>${s=>a`
      ${s.owner&&a`<${de} level="warn" says=${`Paused by the rule ${s.owner.file}/${s.owner.rule}`} hint=${Vm(s.resumes)} />`}
      ${s.kept&&a`<${de} level="warn" says=${a`Rules leave it alone: <${gl} s=${s.kept} />`} hint=${s.kept.reason}><${Sa}>usher rules release ${s.creative}<//><//>`}
      <${ee} title="Rules that may change it">${s.campaigns.length===0?a`<p class="soft">Not known: usher has never changed it, so it does not know its campaign. The page of its campaign lists them.</p>`:
s.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${s.rules.map(o=>a`<li><a href=${"#/rules"+Ce({text:o.name})} class="break">${o.name}</a> <span class="tag">${Os(
o.mode)}</span><${Vs} p=${o.paused} /><div class="small soft break">${o.says}</div></li>`)}</ul>`}<//>
      <${ee} title="History">${s.pages.length===0?a`<${Te} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...s.pages].reverse().map(o=>a`<${Ym} p=${o} />`)}</ul>`}<//>`}<//>
  <//>`}function Ym({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?xn[n.bidding.
field]+" ":""}${Kt(n.before)} → ${Kt(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Kt(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Za} metrics=${n.metrics} /><${ip} on=${e.together} />
      <div class="small faint"><${ne} at=${e.at} />${n.job&&a` · job <a href=${te("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
rule?`${e.file}/${t.rule}`:e.by} ${Cu(e)}</b>
    <${cp} d=${t} /><${ip} on=${e.together} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${ne} at=${e.at} /> · run <a href=${te(
"rules","runs",e.evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state==="held"?"approved in part":e.state} by ${e.by}`:""}</div></li>`}var ip=({on:e})=>e?.length>
0&&a`<div class="soft break">one decision on ${F(e.length,"campaign")}: ${e.slice(0,5).join(", ")}${e.length>5?` and ${j(e.length-5)} more`:""}</div>`;function pp({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${lp} id=${s} key=${s} />`:n==="why"&&s?a`<${up} creative=${s} campaign=${t.campaign} key=${s} />`:
n==="backtest"?a`<${ap} params=${t} />`:a`<${Zm} params=${t} />`}function Zm({params:e}){let t=$e("/api/rules",["rules","overview"]),[n,s]=I(""),o=t.data?.stopped,
r=t.data&&a`${t.data.rules.length>0&&a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?He("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:He("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${Je} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${ct} result=${t}>${i=>a`
      <${Xm} stopped=${i.stopped} />
      <${Qm} runs=${i.runs.filter(c=>c.state==="held")} rules=${i.held} />
      <${t$} week=${i.week} rules=${i.rules} runs=${i.runs} />
      <${n$} files=${[...new Set(i.rules.map(c=>c.file))]} />
      <${r$} rules=${i.rules} text=${e.text} />
      <${u$} runs=${i.runs} />`}<//>
    ${n&&a`<${wl} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function Xm({stopped:e}){return e==null?a`<${de} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${de} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function Qm({runs:e,
rules:t}){let n=r=>{let i=t[r.id];return i?`${i.rules.length>1?"Rules":"Rule"} ${i.rules.join(", ")} of the file ${r.file}, for ${i.campaigns.slice(0,3).join(",\
 ")}${i.campaigns.length>3?` and ${j(i.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=I("");return a`${e.map(r=>a`<${de} key=${r.id} level="warn" says=${a`${n(
r)}: ${Ma(r)}${Is(r)===(r.counts?.held??0)&&jo(r)===0?", waiting for approval":","} <${Ya} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${He("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${te("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${Ro} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function e$({w:e,all:t}){if(!e.pauses&&!e.earlier)return a`<span class="faint">–</span>`;
if(t.error&&!t.data)return a`not known<div class="note">${t.error}</div>`;if(!t.data)return a`<span class="faint">…</span>`;let n=t.data[e.rule];return n?a`${n.
pauses>0&&a`<b>about ${$r(n.gross)}</b>`}${n.notKnown.map(s=>a`<div class="note">not known of ${F(s.pauses,"pause")}: ${s.why}</div>`)}`:"not known"}function t$({
week:e,rules:t,runs:n}){let s=$e(e.some(f=>f.pauses||f.earlier)?"/api/rules/saved":"",["audit","rules"]);if(t.length===0)return null;let o=f=>e.reduce((y,A)=>y+
A[f],0),r=dt()-7*864e5,i=n.filter(f=>Cr(f)&&Date.parse(f.at)>r).length,c=Nn(r),w=Nn(dt()-864e5);return a`<${ee} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${ot} name="week" rows=${e} columns=${[
["Rule",f=>f.rule],["Paused",f=>f.pauses,!0],["Resumed",f=>f.resumes,!0],["Budgets, bids",f=>f.numbers,!0],["Waits",f=>f.held,!0],["Cannot decide on",f=>f.blind,
!0],["Saved"]]}>${f=>a`<tr key=${f.rule}>
        <td class="strong break"><a href=${"#/rules"+Ce({text:f.rule})}>${f.rule}</a></td>
        <td class="num" data-name="Paused">${j(f.pauses)}${f.earlier>0&&a`<div class="note">and ${j(f.earlier)} before, which lasted</div>`}</td><td class="num" data-name="Resumed">${j(
f.resumes)}</td><td class="num" data-name="Budgets, bids">${j(f.numbers)}</td>
        <td class="num" data-name="Waits">${f.held?a`<b class="warn-ink">${F(f.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${f.blind?
a`<b class="warn-ink">${j(f.blind)}</b>`:"0"}</td>
        <td class="whole break" data-name="Saved"><${e$} w=${f} all=${s} /></td></tr>`}<//>`}
    <div class="foot">${F(o("pauses"),"pause")}, ${F(o("resumes"),"resume")}, ${F(o("numbers"),"change")} of budgets and bids.${i>0&&` The stop switch held back\
 ${F(i,"run")}.`}</div>
    ${o("pauses")+o("earlier")>0&&a`<div class="foot">Saved is an estimate. For each of these days on which a creative was paused it counts what the creative had spent on the last complete day before the pause; what it spent all the same is subtracted. Pauses that began more than 31 days earlier, and changes of budgets and bids, are not counted.</div>`}
    <div class="foot">What they would have done on these days: ${[...new Set(t.map(f=>f.file))].map(f=>a`<a href=${"#/rules/backtest"+Ce({file:f,from:c,to:w})}>backtest of ${f}</a> `)}</div><//>`}
function n$({files:e}){let[t,n]=I("");return e.length===0?null:a`<${ee} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${a$} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function a$({file:e}){let t=$e("/api/rules/preview"+Ce({file:e}));return a`<${ct} result=${t}>${n=>a`<p>${Ma({...n,state:"done"},!0)}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${ot} name="preview" rows=${Gs(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${Aa} d=${s} /></td><td><${Bs} is=${s.action} />${s.wants&&a`<div class="note">${Sr(s)}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Ks(s)}</div></td></tr>`}<//>`}`}<//>`}var s$={account:", all together",creative:", each creative"},o$=e=>e.extras.filter(t=>["for","min\
_age","until","notify"].includes(t.key));function r$({rules:e,text:t=""}){if(e.length===0)return a`<${ee} title="Rules"><${Te} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${Sa}>usher rules backtest FILE<//><//><//>`;
let[n,s]=I(null),[o,r]=I(null),i=e.filter(c=>`${c.name} ${c.scope} ${c.extras.map(w=>`${w.key} ${w.value}`).join(" ")} ${c.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${ee} title="Rules" flush side=${e.length>8&&a`<div><${On} label="Search rules …" value=${t} onText=${c=>Qe({text:c})} /></div>`}>
    <${ot} rows=${i} columns=${[["Rule",c=>c.name],["Does",c=>c.says],["Last",c=>c.last&&Date.parse(c.last),!0],["Next",c=>c.next&&Date.parse(c.next),!0]]}>${c=>a`<tr key=${c.
name}>
        <td><span class="id">${c.name}</span> <span class="tag">${Os(c.mode)}</span><${Vs} p=${c.paused} /><div class="note">${c.scope}${s$[c.level]??""}${c.window&&
` · ${c.window}`}</div>${o$(c).map(w=>a`<div class="note">${w.key} ${w.value}</div>`)}
          ${He("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(c)} aria-label=${`Run ${c.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
c)} aria-label=${`${c.paused?"Resume":"Pause"} ${c.name}`}>${c.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${c.activeHours&&a`<div class="break">pause outside <code>${c.activeHours}</code></div>`}${c.pause&&a`<div class="break">${c.mode==="n\
otify"?"notify":"pause"} when <code>${c.pause}</code></div>`}${c.resume&&a`<div class="break">resume when <code>${c.resume}</code></div>`}${c.bidding&&a`<${c$} b=${c.
bidding} />`}</td>
        <td class="num" data-name="Last"><${ne} at=${c.last} /></td>
        <td class="num" data-name="Next"><div>${c.next?a`<${ne} at=${c.next} />`:a`<span class="faint">on request</span>`}${c.schedule&&a`<div class="note">${c.
schedule}</div>`}</div></td></tr>`}<//>${n&&a`<${d$} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${l$} rule=${o} onClose=${()=>r(null)} />`}${i.length===0&&a`<${Te} title="No rule matches" />`}<//>`}
var i$={act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"\
It reports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function l$({rule:e,onClose:t}){let n=async()=>{let{
id:s}=await Pe("/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=te("rules","runs",s)};return a`<${Ge} title=${`Run rule ${e.name}\
 now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${i$[e.mode]}</p>
  <//>`}function d$({rule:e,onClose:t}){let[n,s]=I(""),o=e.paused?"resume":"pause",r=async()=>{await Pe(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Ke(`Rule ${e.name} is ${o}d`)};return a`<${Ge} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${Ie} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${i=>s(
i.target.value)} data-first /><//>
  <//>`}function c$({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function u$({runs:e}){return a`<${ee} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${Te} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${ot} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${te("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${Us} is=${t.state} /></td>
        <td class="whole">${Ma(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${ne} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${F(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function wl({way:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e==="stop",
i=async()=>{await Pe(r?"/api/stop":"/api/start",r?{reason:s}:{}),Ke(r?"Campaign actions are stopped":"Campaign actions are started"),n()};return a`<${Ge} title=${r?
"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${!r||s.trim()} onAct=${i} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${r&&a`<${Ie} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${c=>o(c.target.
value)} data-first /><//>`}
  <//>`}function mp({params:e}){let t=e.span==="day"?"day":"",n=$e("/api/overview"+Ce({span:t}),["overview"]);return $e("/api/replays",["replays"]),$e("/api/marks"),$e(
"/api/workers"),a`<${Je} title="Overview" sub="What failed, what waits, and what happened in the last 24 hours.">
    <${ct} result=${n}>${s=>a`${!s.counted&&a`<${de} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${p$} needs=${s.
needs} lanes=${s.lanes} /><${Qs} />
      <div class="grid two-one">
        <div class="stack"><${y$} rows=${s.changes} before=${s.before} /></div>
        <div class="stack"><${x$} runs=${s.rules} /><${k$} rows=${s.taken} /></div>
      </div>
      <${$$} o=${s} />
      <div class="grid two-one">
        <div class="stack"><${v$} t=${s.throughput} span=${t} /><${w$} hours=${s.hours} /></div>
        <div class="stack"><${_$} p=${s.platform} /><${C$} lanes=${s.lanes} /></div>
      </div><${Qu} />`}<//>
  <//>`}function p$({needs:e,lanes:t}){let[n,s]=I(null),o=()=>s(null),r=fr().state?.services.some(i=>i.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(i=>a`<${f$} key=${i.subject||i.says+i.about} n=${i} onAct=${()=>s(i)} />`)}</div>
    ${n&&a`<${h$} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${de} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var hp={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function h$({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${Xa} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${Ar} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${Ar} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${Ro} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${$p} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${wl} way="start" onClose=${n} onDone=${()=>{}} />`}function f$({n:e,onAct:t}){let n=hp[e.act]&&He(hp[e.act]);return a`<div class="incident ${e.
level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${Wt(e.class)}</span>${Vn(e.target)&&`: ${Vn(e.target,e.targetName)}`}`:a`<${qt} text=${e.
says} />`}</div>
      ${e.class?a`<div class="break"><${qn} kind=${e.kind} target=${e.target} name=${e.targetName} />: <${xt} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${qt} text=${e.
about} /></div>`}
      ${e.later?a`<${Qa} l=${e.later} filter=${{group:e.subject}} />`:a`<${Hn} text=${e.hint} of=${e.class} letters=${e.class&&{group:e.subject}} remedies=${e.remedies} />`}</div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${j(e.count)}</b> ${e.of}${e.count>1&&"s"}</span>`}${e.since&&a`<${Ya} at=${e.since} />`}${e.
recent&&a`<${m$} counts=${e.recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function m$({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${F(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${j(n)} in 1 h</span></span>`}
function $$({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${Tt} name="Throughput" meaning=${We.rows} value=${e.throughput.rows===null?"–":Kn(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":Ms(e.throughput.bytes)+"/s sent"} />
    <${Tt} name="Running" meaning=${We.running} value=${j(t("running"))} note=${t("retrying")?F(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${Tt} name="Queued" meaning=${We.queued} value=${j(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${Tt} name="Done in 24 h" meaning=${We.done} value=${j(n.done)} note="jobs" href="#/jobs?state=done" />
    <${Tt} name="Dead letters" meaning=${We.letters} value=${j(e.letters)} note=${n.failed?`${j(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function g$(){let e=$e("/api/marks");return xe(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var b$=[["","15 min"],["day","24 h"]];function v$({t:e,span:t}){let n=g$(),s=nn(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${ee} title="Throughput" side=${a`<${Ta} label="Time" value=${t} onPick=${o=>Qe({span:o})} options=${b$} />`}>
    <${Ra} data=${s} values=${Kn} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":j(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function w$({hours:e}){let t=nn(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${ee} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${Ra} height=${140} data=${t} values=${Kn} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:al(),filled:"--c-accepted"}],["failed","--c-refused",{paths:al(),filled:"--c-refused"}]]} /><//>`}var fp=e=>Ot(
{target:e.target,name:e.targetName});function y$({rows:e,before:t}){return a`<${ee} title="What changed" flush side=${a`<a class="small" href="#/audiences">Audiences</a>`}>
    ${e.length===0?a`<${Te} title=${t?"The newest jobs have changed no audience":"No job has changed an audience"}>${t&&a`They were submitted since <${ne} at=${t} />.`}<//>`:
a`<${ot} name="changes" rows=${e} columns=${[["Audience",fp],["Change"],["When",n=>Date.parse(n.finished),!0]]}>${n=>a`<tr key=${n.id}><td><a class="id" href=${te(
"audiences",n.target)}>${fp(n)}</a></td>
        <td class="whole"><a href=${te("jobs",n.id)}>${ca(n)?a`<${qs} r=${n} />`:`${n.kind.endsWith(".remove")?"removal":"upload"} of ${F(n.accepted,"id")}; no \
ledger says what it changed`}</a></td><td class="num" data-name="When"><${ne} at=${n.finished} /></td></tr>`}<//>${t&&a`<div class="foot">of jobs that were submitted since <${ne} at=${t} /></div>`}`}<//>`}
function x$({runs:e}){return a`<${ee} title="What the rules did" flush side=${a`<a class="small" href="#/rules">Rules</a>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.id}>
      <div><a class="strong" href=${te("rules","runs",t.id)}>${t.rule?`${t.file}/${t.rule}`:t.file}</a> <${Us} is=${t.state} /></div>
      <div>${Ma(t)}</div><div class="note"><${ne} at=${t.at} />${t.by&&` · ${t.by}`}</div></li>`)}</ul>`}<//>`}function k$({rows:e}){return a`<${ee} title="What feeds took" flush side=${a`<a class="small" href="#/feeds">Feeds</a>`}>
    ${e.length===0?a`<${Te} title="No feed took an export" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.feed}>
      <div><a class="strong" href=${te("jobs",t.job)}>${t.feed}</a>: ${t.rows>0?F(t.rows,"row"):"an export"} for <a href=${te("audiences",t.audience)}>${t.label}</a></div>
      ${Co(t.state)&&a`<div class="bad-ink">Not uploaded: its job ${t.state==="failed"?a`has failed. ${Wt(t.error?.class)}`:"was cancelled"}</div>`}
      <div class="note"><${ne} at=${t.at} /></div></li>`)}</ul>`}<//>`}function _$({p:e}){let[t,n]=I(!1),s=Object.entries(e.answers??{}).sort();return a`<${ee} title="Platform" side=${a`<span class="badge ${e.
up?"good":"bad"}">${e.up?"up":e.refused?"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${un(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${He("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${ne} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${j(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${j(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${j$} p=${e} onClose=${()=>n(!1)} />`}<//>`}function j$({p:e,onClose:t}){let[n,s]=I(""),[o,r]=I(""),i=async()=>{await Pe("/api/limit",{perSecond:Number(
n)||0,reason:o}),Ke(Number(n)?`The limit is ${un(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ge} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${i} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${un(e.configured)}.</p>
    <${Ie} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${c=>s(c.
target.value)} data-first /><//>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} /><//>
  <//>`}function C$({lanes:e}){let[t,n]=I(null);return a`<${ee} title="Lanes" flush side=${He("admin")&&a`<button class="bare small" onClick=${()=>n(e.find(s=>s.
paused)??e[0])}>Pause or resume …</button>`}>
    <${ot} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,We.waiting],["Running",s=>s.running,!0,We.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:F(s.slots,"slot")+" here"}</div></td>
        <td class="num">${j(s.waiting)}</td><td class="num">${j(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${Nt(s.oldest)}>${yo(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${$p} lane=${t} lanes=${e} onClose=${()=>n(null)} />`}<//>`}function $p({lane:e,lanes:t,onClose:n}){let[s,o]=I(e),[r,i]=I(""),c=s.paused?"resume":"pause",w=async()=>{
await Pe(`/api/lanes/${s.name}/${c}`,{reason:r}),Ke(`Lane ${s.name} is ${c}d`)};return a`<${Ge} title=${`${s.paused?"Resume":"Pause"} lane ${s.name}?`} act=${s.
paused?"Resume":"Pause"} danger=${!s.paused} ready=${r.trim()} onAct=${w} onClose=${n}>
    ${t&&a`<${Ie} name="Lane"><select value=${s.name} onChange=${f=>o(t.find(y=>y.name===f.target.value))}>${t.map(f=>a`<option value=${f.name} selected=${f.name===
s.name}>${f.name}${f.paused?" (paused)":""}</option>`)}</select><//>`}
    <p>${s.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${Ie} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${f=>i(f.target.value)} data-first /><//>
  <//>`}var kl=50,S$=20,yl="Sort the rows on this page",T$=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),_l=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),to=e=>Qe({after:"",page:"",...e}),vp=(e,t)=>"/api/letters"+Ce({...e,after:t,limit:kl});function wp({params:e}){let t=T$(e),
n={...t,group:""},s=$e("/api/letters/groups"+Ce(n),["letters"]),o=$e(vp(t,yp(e).after),["letters"]),r=$e("/api/replays",["replays"]),c=[o,r].every(b=>b.data||b.
stale||b.error)&&(s.data?.groups??s.stale?.groups),w=c?c.reduce((b,T)=>b+T.count,0):0,f=c&&c.find(b=>b.group===e.group),y=e.group?f?.count??0:w,A=Object.keys(_l(
t)).length>0;return a`<${Je} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <div class="filters">
      <${On} label="Search target or message …" value=${e.match} onText=${b=>to({match:b,group:""})} />
      <${Yn} label="Cause" value=${e.class} onPick=${b=>to({class:b,group:""})} options=${[["","All causes"],...Object.entries(ja).map(([b,{title:T}])=>[b,T])]} />
      <${Yn} label="Kind" value=${e.kind} onPick=${b=>to({kind:b,group:""})} options=${pl} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>to({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>to({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${fn} says=${s.error} retry=${s.reload} />`}
    ${c?c.length===0?a`<${Qs} /><div class="card">${A?a`<${Te} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${Te} title="No dead letters">No job has failed.<//>`}</div>`:
a`<div class="grid two-one letters"><div class="stack"><${A$} filter=${t} total=${y} reasons=${c.length} params=${e} key=${JSON.stringify(t)} /></div>
        <div class="stack"><${Qs} ended=${!1} /><${D$} list=${c} filter=${_l(n)} picked=${e.group} /><${Qs} running=${!1} /></div></div>`:!s.error&&a`<div class="card"><${kn} /></div>`}
  <//>`}function D$({list:e,filter:t,picked:n}){let[s,o]=I(null),[r,i]=I(null),[c,w]=I(!1),f=c?e:e.slice(0,8);return a`<${ee} title="Causes" flush side=${a`<span class="faint small">${F(
e.length,"cause")}${e.length>1?", what costs most first":""}</span>`}>
    <ul class="causes">${f.map(y=>a`<li key=${y.group}>
        <div><b title=${y.class}>${Wt(y.class)}</b> <span class="tag" title=${We.letters}>${F(y.count,"letter")}</span></div>
        <div class="note"><${qn} kind=${y.kind} target=${y.target} name=${y.targetName} /> · last <${ne} at=${y.last} /></div>
        <div class="break"><${xt} text=${y.message} /></div>${gp(y)?a`<${Qa} l=${y.later} filter=${{group:y.group}} />`:a`<${Hn} text=${y.hint} of=${y.class} letters=${{
group:y.group}} remedies=${y.remedies} />${bp(y)&&a`<div class="note">${bp(y)}</div>`}`}
        <div class="acts-line">${He("operator")&&(gp(y)?a`<button class="small danger" onClick=${()=>i(y)} aria-label=${`Discard ${F(y.count,"letter")}: ${y.message}`}>Discard …</button>`:
a`<button class="small" onClick=${()=>o(y)} aria-label=${`Fix and replay ${F(y.count,"letter")}: ${y.message}`}>Fix and replay …</button>`)}
          <button class="small" aria-pressed=${n===y.group} onClick=${()=>to({group:n===y.group?"":y.group})}>${n===y.group?"Show all":"Only these"}</button></div>
      </li>`)}</ul>
    ${e.length>f.length&&a`<div class="foot"><button class="small" onClick=${()=>w(!0)}>Show all ${j(e.length)} causes</button></div>`}
    ${s&&a`<${Xa} cause=${s} filter=${{...t,group:s.group}} onClose=${()=>o(null)} />`}
    ${r&&a`<${To} filter=${{...t,group:r.group}} count=${r.count} why=${r.later.why} onClose=${()=>i(null)} onDone=${()=>{}} />`}<//>`}var gp=e=>(e.needless??0)+
(e.superseded??0)===e.count,bp=e=>[e.needless&&`${j(e.needless)} of them can be discarded: ${e.needless===1?"a later job has":"later jobs have"} done what they \
should do`,e.superseded&&`${j(e.superseded)} of them would undo what later jobs did`].filter(Boolean).join("; "),xl=new Map,Ir={all:!1,seqs:[]};function R$(e,t){
let n=t.letters.map(r=>r.seq),s=n[0]??1/0,o=t.more?n.at(-1)??1/0:0;return e.filter(r=>n.includes(r)||r<o||r>s)}function yp(e){let t=(e.after??"").split(",").filter(
Boolean),n=t.length?Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+Ce({...e,after:o.slice(-S$).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",
earlier:n>1&&s(t.slice(0,-1),n-1),later:o=>s([...t,o],n+1)}}function A$({filter:e,total:t,reasons:n,params:s}){let{page:o,after:r,earlier:i,later:c}=yp(s),w=JSON.
stringify(e),f=xl.get(w)??Ir,[,y]=I(0),A=U=>{xl.set(w,U),y(ft=>ft+1)},[b,T]=I(null),N=$e(vp(e,r),["letters"]),Z=N.data??N.stale,ue=f.all?t:f.seqs.length,Se=f.all?
_l(e):{seqs:f.seqs},ae=()=>A(Ir),ut=U=>{let ft=f.all?Z.letters.map(pt=>pt.seq):f.seqs;A({all:!1,seqs:ft.includes(U)?ft.filter(pt=>pt!==U):[...ft,U]})};if(xe(()=>{
let U=xl.get(w)??Ir;if(!N.data||U.all)return;let ft=R$(U.seqs,N.data);ft.length<U.seqs.length&&A({all:!1,seqs:ft})},[N.data]),!Z)return N.error?a`<${fn} says=${N.
error} retry=${N.reload} />`:a`<div class="card"><${kn} /></div>`;let kt=Z.letters.map(U=>U.seq),gt=f.all||kt.length>0&&kt.every(U=>f.seqs.includes(U)),an=He("o\
perator");return a`${N.error&&a`<${fn} says=${N.error} retry=${N.reload} />`}<section class="card" inert=${!N.data} aria-busy=${!N.data}>
      <div class="top"><h2>Letters</h2><button class="bare small below" onClick=${()=>document.querySelector(".causes").scrollIntoView()}>${F(n,"cause")} ↓</button>${an&&
t>0&&a`<button class="small" onClick=${()=>A({all:!0,seqs:[]})}>Select all ${j(t)} that match</button>`}</div>
      <div class="flush"><${ot} look=${`cards ${an?"ticks":""}`} rows=${Z.letters} columns=${[["Job",U=>U.id,!1,yl],["Why",U=>U.class,!1,yl],["When",U=>Date.parse(
U.at),!0,yl]]}
        first=${an&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${gt} onChange=${()=>A(gt?Ir:{all:!1,seqs:[...new Set([...f.
seqs,...kt])]})} /></th>`}>${U=>a`<tr key=${U.seq}>
          ${an&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${U.seq}`} checked=${f.all||f.seqs.includes(U.seq)} onChange=${()=>ut(U.seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>T({show:U})}>${U.id??"no id"}</button><div class="note"><${qn} kind=${U.kind} target=${U.target} name=${U.
targetName} /></div></td>
          <td class="whole"><b title=${U.class}>${Wt(U.class)}</b><div class="break"><${xt} text=${U.message} /></div>${U.later&&a`<div class="note break">${U.later.
needless?a`<span class="good-ink">Can be discarded</span>: `:"Superseded: it "}${U.later.why}</div>`}</td>
          <td class="num" data-name="When"><div><${ne} at=${U.at} /><div class="note">letter ${U.seq}</div></div></td></tr>`}<//></div>
      ${kt.length===0&&a`<${Te} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(o>1||Z.more)&&a`<div class="foot"><span class="acts">${i?a`<a class="button small" href=${i}>Newer</a>`:a`<button class="small" disabled>Newer</button>`}</span>
        <span>page ${j(o)}${t>kl?` of ${j(Math.max(o,Math.ceil(t/kl)))}`:""}, newest first</span>
        <span class="acts">${Z.more?a`<a class="button small" href=${c(kt.at(-1))}>Older</a>`:a`<button class="small" disabled>Older</button>`}</span></div>`}
    </section>
    ${an&&ue>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${F(ue,"letter")}</b> selected${f.all?", all that match":""}</span>
      <button class="bare" onClick=${ae}>Clear</button>
      <button class="danger" onClick=${()=>T({discard:!0})}>Discard …</button>
      <button onClick=${()=>T({edit:!0})}>Edit …</button>
      <button class="primary" onClick=${()=>T({fix:!0})}>Fix and replay …</button></div>`}
    ${b?.fix&&a`<${Xa} filter=${Se} onClose=${()=>T(null)} onDone=${ae} />`}
    ${b?.show&&a`<${Fu} letter=${b.show} onClose=${()=>T(null)} onEdit=${()=>T({edit:!0,letter:b.show})} onDiscard=${()=>T({discard:!0,letter:b.show})} />`}
    ${b?.discard&&a`<${To} filter=${b.letter?{seqs:[b.letter.seq]}:Se} count=${b.letter?1:ue} why=${b.letter?.later?.why} onClose=${()=>T(null)} onDone=${ae} />`}
    ${b?.edit&&a`<${Lu} filter=${b.letter?{seqs:[b.letter.seq]}:Se} letter=${b.letter??(f.seqs.length===1&&Z.letters.find(U=>U.seq===f.seqs[0]))}
      onClose=${()=>T(null)} onDone=${U=>!b.letter&&!f.all&&A({all:!1,seqs:U})} />`}`}var xp=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,Cl=.95;function M$({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${j(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${j(e.paused)}</b> paused`}${e.
pending>0&&`, ${j(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function O$({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+Ce({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${j(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function E$({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${mr(
e.spent)}${t!==null&&` of ${mr(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=Cl?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=Cl?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var I$=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${te("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${M$} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${O$} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:xp,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${E$} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${te("rules","runs",e.heldRun)}>${j(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${ne} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],jl={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>xp(e)>=Cl};function kp({params:e}){let t=$e("/api/campaigns",["campaigns","rules"]);return a`<${Je} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${ct} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(f=>f.code.toLowerCase().includes(o)),i=r.filter(jl[e.only]??
jl[""]),c=f=>r.filter(jl[f]).length,w=n.filter(f=>!f.at).length;return a`<div class="filters"><${On} label="Search campaigns …" value=${e.text} onText=${f=>Qe(
{text:f})} />
          <${Ta} label="Which" value=${e.only} onPick=${f=>Qe({only:f})} options=${[["","All",r.length],["paused","With pauses",c("paused")],["held","Held",c("h\
eld")],["spent","95 % spent",c("spent")]]} /></div>
        ${s&&a`<${de} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${ee} flush>${i.length===0?a`<${Te} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pl\
atform lists no campaigns for this advertiser."}<//>`:a`<${Ys} label="Campaigns" columns=${I$} rows=${i.slice(0,500)} params=${e} id=${f=>f.code} href=${f=>te("\
campaigns",f.code)} />
            <div class="foot"><span>${F(i.length,"campaign")}${i.length>500?", the first 500 are shown":""}</span>${w>0&&a`<span>the creatives of ${j(w)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var _p="The platform's times have no zone, so they are shown as the platform sends them.";function Sp({code:e}){let t=$e("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=I([]),[o,r]=I(""),i=t.data,c=He("operator"),w=f=>s(n.includes(f)?n.filter(y=>y!==f):[...n,f]);return a`<${Je} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${i&&a`${F(i.creatives.length,"creative")}, ${j(i.creatives.filter(f=>f.status==="ACTIVE").length)} active`}
      acts=${i&&c&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?j(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?j(n.length):"all"} …</button>`}>
    <${ct} result=${t}>${f=>a`
      ${f.holder&&a`<${de} level="warn" says=${`Locked by ${f.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${f.lockError&&a`<${de} level="warn" says="It is not known whether a worker has locked this campaign" hint=${f.lockError} />`}
      ${f.jobs.map(y=>a`<${de} key=${y.id} says=${a`<${Va} is=${y.state} /> ${vr(y.kind,y.target)}`} hint=${y.why||y.id} where=${te("jobs",y.id)} />`)}
      ${f.partial&&a`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs"+Ce(
{state:"queued,running,retrying",text:e})}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${ee} title="Creatives" flush>${f.creatives.length===0?a`<${Te} title="No creatives" />`:a`<${ot} look=${`cards ${c?"ticks":""}`} rows=${f.
creatives} columns=${[["Creative",y=>y.code],["Status",y=>y.status],["Last change on the platform",y=>y.updated||null,!0]]}
          first=${c&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===f.creatives.length} onChange=${()=>s(n.length?
[]:f.creatives.map(y=>y.code))} /></th>`}>${y=>a`<tr key=${y.code}>${c&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${y.code}`} checked=${n.includes(
y.code)} onChange=${()=>w(y.code)} /></td>`}
            <td class="strong break"><a class="id" href=${te("rules","why",y.code)+Ce({campaign:e})} title="Its history">${y.code}</a><${bl} s=${f.kept[y.code]} />${y.
message&&a`<div class="note">${y.message}</div>`}</td><td><${Va} is=${y.status} /></td>
            <td class="num" data-name="Changed">${y.updated?a`<span class="nowrap" title=${_p}>${y.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${f.creatives.some(y=>y.updated)&&a`<div class="foot">${_p}</div>`}`}<//><${F$} creatives=${f.creatives} changes=${f.changes} /></div>
        <div class="stack"><${P$} rules=${f.rules??[]} kept=${f.kept[e]} code=${e} /><${N$} entries=${f.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${q$} code=${e} verb=${o} creatives=${n} all=${i.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function P$({rules:e,kept:t,code:n}){return a`<${ee} title="Rules in scope" side=${a`<${Er} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${bl} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+Ce({text:s.
name})} class="break">${s.name}</a> <span class="tag">${Os(s.mode)}</span><${Vs} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var jp=28;function F$({creatives:e,changes:t}){let n=Array.from({length:jp},(r,i)=>Nn(dt()-(jp-1-i)*864e5)),s=[...Or([...t].reverse(),r=>r.creative,r=>Nn(r.at))].
sort(([r],[i])=>r.localeCompare(i,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${Mr} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,i])=>[r,L$(n,i,o.get(r))])} />`}function L$(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],i=r.map(
c=>`${cn(c.at)} ${Kt(c.before)} → ${Kt(c.after)} by ${[c.by,c.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${i||Kt(n)}`}),n=r[0]?.before||n}return s}function z$(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function N$({entries:e,code:t}){return a`<${ee} title="History" side=${a`<a class="small" href=${"\
#/audit"+Ce({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${z$(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${Cp} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${j(s.length)} more by this job</summary>${s.map(o=>a`<${Cp} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Za} metrics=${n.metrics} /><div class="small faint"><${ne} at=${n.at} /></div></li>`)}</ul>`}<//>`}var Cp=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?xn[e.bidding.field]:"campaign")}</b> <span class="small">${Kt(e.before)} → ${Kt(e.after)}${e.after!==e.wanted?` (wanted ${Kt(e.wanted)})`:""}</span></div>`;
function W$({code:e,creatives:t}){let n=$e(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${de} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${de} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${j(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${ne} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function q$({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[i,c]=I(""),[w,f]=I(""),y=n.length||s,A=async()=>{let{id:b}=await Pe(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:i,keep:w});Ke(`${t==="pause"?"Pausing":"Resuming"} ${F(y,"creative")}: job ${b}`),r()};return a`<${Ge} title=${`${t==="pause"?"Pau\
se":"Resume"} ${F(y,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${i.trim()&&w!==es} onAct=${A} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${W$} code=${e} creatives=${n} />`}
    <${vl} until=${w} onUntil=${f} />
    <${Ie} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${i} onInput=${b=>c(b.target.
value)} data-first /><//>
  <//>`}var H$=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],Sl=50,Pr="Sort the rows on this page",U$=[["\
When",e=>Date.parse(e.at),!1,Pr],["Who",e=>e.rule||e.actor,!1,Pr],["What",e=>e.creative||e.after||e.wanted,!1,Pr],["Why",e=>e.reason,!1,Pr]];function Tp({params:e}){
let t=e.span&&new Date(Math.floor(dt()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(Sl,Number(e.limit)||Sl),o=$e("/api/audit"+Ce({...n,limit:s}),["audit"]),r=o.data??o.stale,i=["campaign","actor","job","rule"].filter(c=>e[c]);return a`<${Je} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+Ce({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+Ce(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${On} label="Search actor, reason, creative, job …" value=${e.match} onText=${c=>Qe({match:c,limit:""})} />
      <${Yn} label="Time" value=${e.span} onPick=${c=>Qe({span:c,limit:""})} options=${H$} />
    </div>
    ${i.length>0&&a`<div class="filters">${i.map(c=>a`<button class="small" onClick=${()=>Qe({[c]:""})} aria-label=${`Remove the filter ${c}`}>${c}: ${e[c]} ×</button>`)}</div>`}
    ${o.error&&a`<${fn} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${Te} title=${e.match||i.length||e.span?"Nothing matches":"No actions yet"}>Pauses, resumes, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${ot} columns=${U$} rows=${r.entries}>${(c,w)=>a`<tr key=${c.at+c.job+c.creative+w}>
          <td data-name="When"><${ne} at=${c.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+Ce(c.rule?{rule:c.rule}:{actor:c.actor})}>${c.rule||c.actor||"–"}</a></td>
          <td class="whole"><${B$} a=${c} /></td>
          <td class="whole break">${c.reason}<${Za} metrics=${c.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${F(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>Qe({limit:String(
Math.min(s+Sl,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${j(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${kn} />`}</section>
  <//>`}function B$({a:e}){let t=e.job&&a`<div class="note">job <a href=${te("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Kt(e.before)} → ${Kt(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Kt(e.wanted)})</span>`:
""}
      ${e.campaign&&a`<div class="note">campaign <a href=${te("campaigns",e.campaign)}>${e.campaign}</a></div>`}${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.
before?` (was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var J$=[["","Overview",hn.overview],["audiences","Audiences",hn.audiences],["feeds","Feeds",hn.feeds],["jobs","Jobs",hn.jobs],["letters","Dead letters",hn.letters],
["campaigns","Campaigns",hn.campaigns],["rules","Rules",hn.rules],["audit","Audit",hn.audit]],Dp=([,e,...t])=>t.length?`${e==="campaign"?"target":e} ${t.join("/")}`:
e;function G$({names:e,params:t}){let[n="",s]=e;switch(n){case"":return a`<${mp} params=${t} />`;case"jobs":return s?a`<${Hu} id=${s} key=${s} />`:a`<${Ju} params=${t} />`;case"\
letters":return a`<${wp} params=${t} />`;case"audiences":return s==="overlap"?a`<${Ku} params=${t} />`:s?a`<${Yu} target=${Dp(e)} key=${Dp(e)} />`:a`<${Tu} params=${t} />`;case"\
feeds":return a`<${Du} params=${t} />`;case"campaigns":return s?a`<${Sp} code=${s} key=${s} />`:a`<${kp} params=${t} />`;case"rules":return a`<${pp} names=${e.slice(
1)} params=${t} />`;case"audit":return a`<${Tp} params=${t} />`}return a`<${Je} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}$u();
function K$(){let[e,t]=I(Ns());return xe(()=>{let n=()=>t(Ns()),s=kr(n);return n(),s},[]),a`<button class="bare small" onClick=${Ws} aria-label=${e?"Light colou\
rs":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${hn.theme}</span></button>`}function V$(){return a`<button class="bare small" onClick=${()=>Ts(
!An())} title=${An()?"Times are in UTC; show them in this computer's zone":`Times are in this computer's zone, ${Rs()}; show them in UTC`} aria-label=${An()?"Ti\
mes in UTC":`Times in ${Rs()}, this computer's zone`}>${Rs()}</button>`}function Y$({onLeave:e}){let t=eu(),n=$e("/api/overview",["letters","overview"]),s=yu(t.
names),o=n.data?.letters??0,r=()=>Pe("/api/logout").then(()=>e("You have logged out."),i=>e(i.message));return a`<a class="skip" href="#main" onClick=${i=>{i.preventDefault(),
document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${hn.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${J$.map(([i,c,w])=>a`<a href="#/${i}" aria-current=${(t.names[0]??"")===i?"page":void 0}>${w}<span>${c}</span>
            ${i==="letters"&&o>0&&a`<span class="count" aria-label=${F(o,"dead letter")}>${o>999?"999+":j(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${Ne.user}</b><span class="faint small">${Ne.role}</span></div>
          <div class="row"><${K$} /><${V$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${hn.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${xu} status=${s} />${G$(t)}</main>
    </div><${vu} /><${uu} />`}var Tl={expired:"Your session has expired: sessions end after two hours without use, and after twelve hours.",forgotten:"usher doe\
s not know your session any more: it was restarted and had not stored it.",barred:"Your password has changed, you may not log in any more, or the proxy names an\
other user.",unread:"usher cannot check your session, because NATS does not respond. This page tries it again by itself."};function Z$(){let[e,t]=I(Ne.user),[n,
s]=I(Tl[Ne.absent]),[,o]=I(0);xe(()=>{Yc(async()=>{Ne.user&&(wo(),Ne.user="",await As().catch(()=>{}),s(Tl[Ne.absent]??"Your session has ended: you have logged \
out in another tab."),t(""))}),window.addEventListener("zone",()=>o(c=>c+1))},[]);let r=async()=>{await As(),s(Tl[Ne.absent]),t(Ne.user),Ne.user&&Bi()},i=c=>{wo(),
Ne.user="",s(c),t("")};return e?a`<${Y$} key=${An()?"utc":"local"} onLeave=${i} />`:a`<${ku} why=${n} onIn=${r} />`}function Rp(){let[e]=Mn().names;e!=="overvie\
w"&&(e!=="login"||!Ne.user)||(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")))}window.addEventListener("hashchange",Rp);Object.
assign(Ne,JSON.parse(document.getElementById("session").textContent));Rp();Ne.user&&Bi();var Ap=document.getElementById("app");Ap.replaceChildren();Oi(a`<${Z$} />`,
Ap);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
